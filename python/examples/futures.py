"""Copies of a machine try what would happen. A copy takes microseconds."""

from anticlock import Atari

atari = Atari()
atari.run_until(text="READY")
answers = []
for number in range(3):
    future = atari.clone()
    future.type(f"PRINT {number}*{number}+100\n")
    future.run(30)
    answers.append(future.text.split("+100")[1].split()[0])
print(answers, "+100" in atari.text)
# -> ['100', '101', '104'] False
