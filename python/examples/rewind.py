"""Time goes back: the machine of a second ago continues otherwise."""

from anticlock import Atari

atari = Atari()
atari.run_until(text="READY")
atari.type("PRINT 1\n")
atari.run(120)
atari.rewind(2)
atari.type("PRINT 22\n")
atari.run(60)
print("22" in atari.text)
# -> True
