"""A joystick is held, and a program reads it."""

from anticlock import Atari, basic

atari = Atari(basic.tokenize('10 PRINT STICK(0);" ";STRIG(0):GOTO 10'))
atari.run_until(text="15 1")
stick = atari.joystick(0).left().press()
atari.run_until(text="11 0")
stick.centre().release()
print("11 0" in atari.text)
# -> True
