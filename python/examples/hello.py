"""A machine is switched on, and is told to calculate."""

from anticlock import Atari

atari = Atari()
atari.run_until(text="READY")
atari.type("PRINT 6*7\n")
atari.run(30)
print(atari.text.split("PRINT 6*7")[1].split()[0])
# -> 42
