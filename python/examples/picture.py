"""The picture, as colour numbers and as red, green and blue."""

from anticlock import Atari

atari = Atari()
atari.run_until(text="READY")
atari.type("SETCOLOR 4,5,6\n")
atari.run(10)
print(atari.screen.shape, hex(atari.screen[2, 2]), atari.rgb.shape, atari.png()[1:4])
# -> (240, 376) 0x56 (240, 376, 3) b'PNG'
