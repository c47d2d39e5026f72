"""A BASIC program from its listing: mistakes are found without running it, variables are read by name."""

from anticlock import Atari, basic

print(basic.check("10 PRNT 5")[0])
# -> line 1, column 9: expected =
atari = Atari(basic.tokenize("10 DIM N$(10):N$=\"ATARI\"\n20 FOR I=1 TO 10:S=S+I:NEXT I\n30 PRINT \"SUM \";S"))
atari.run_until(text="SUM ")
print(atari.number("S"), atari.string("N$"))
# -> 55.0 b'ATARI'
