/* C that prints, with a display list interrupt in assembler (band.s). */
#include <atari.h>
#include <conio.h>

/* In band.s. */
extern unsigned char band_colour;
void band_start(void);

static unsigned int frames;

static void next_frame(void)
{
    unsigned char now = OS.rtclok[2];

    while (now == OS.rtclok[2]) {
    }
    ++frames;
}

int main(void)
{
    clrscr();
    cputs("HELLO FROM C AND CA65");
    band_start();
    for (;;) {
        next_frame();
        band_colour = (unsigned char)(0x90 | ((frames >> 3) & 0x0E));
        gotoxy(0, 2);
        cprintf("%u", frames);
    }
    return 0;
}
