"""Memory is read and written as the processor does it, by address or by name."""

from anticlock import Atari

atari = Atari()
atari.run_until(text="READY")
screen = atari.memory.word("SAVMSC")
atari.memory[screen + 10 : screen + 15] = bytes(ord(letter) - 32 for letter in "HELLO")
atari.memory["COLOR4"] = 0x34
atari.run(2)
print(atari.text.splitlines()[0].strip(), hex(atari.memory["COLOR4"]))
# -> HELLO 0x34
