"""A pixel says why it is as it is: the register that came through, and what loaded it."""

from anticlock import Atari

atari = Atari()
atari.run_until(text="READY")
atari.type("SETCOLOR 4,5,6\n")
atari.run(10)
why = atari.why(2, 5)
print(why.layer, why.colours[0].name, hex(why.colours[0].value))
# -> background COLBK 0x56
