"""A function is called whenever the program stores into a register."""

from anticlock import Atari

atari = Atari()
atari.run_until(text="READY")
stores: list[int] = []
atari.break_at("write COLOR4", lambda machine: stores.append(machine.registers.pc))
atari.type("SETCOLOR 4,1,2:SETCOLOR 4,3,4\n")
atari.run(10)
print(len(stores))
# -> 2
