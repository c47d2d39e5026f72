"""A task is judged: the first program forgets the last number."""

from anticlock import tasks

task = tasks.get("sum-to-n")
for last in ("N-1", "N"):
    verdict = task.check(f'10 INPUT N\n20 FOR I=1 TO {last}\n30 LET S=S+I\n40 NEXT I\n50 PRINT "SUM ";S\n')
    print(verdict.passed, verdict.faults[:1])
# -> False ('an answer, n = 10, out = 55: the sum is not right
# -> True ()
