/* A program whose functions call each other, for frames and names. */
/* Built with cc65 2.19: cc65 -t none -g -Oirs frames.c; ca65 -g frames.s; ca65 runtime.s; ld65 -C frames.cfg --dbgfile frames.dbg -o frames.bin frames.o runtime.o */
struct pair { int first; unsigned char tag; };
struct pair kept;
int total = 100;

static void mark (unsigned char p)
{
    unsigned char i;
    i = p;
    total -= i;
}

int mix (char c, int *where, int a)
{
    int sum = a;
    mark (c);
    if (a > 0) sum = mix (c, where, a - 1);
    *where = sum;
    kept.tag = c;
    return sum;
}

void main (void)
{
    int n = 2, seen;
    mix ('C', &seen, n);
    kept.first = seen;
    for (;;) ;
}
