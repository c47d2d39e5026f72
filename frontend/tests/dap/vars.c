/* Every kind of variable that cc65 has, for tests of names in the debugger. */
struct point { int x; unsigned char tag; long wide; };
typedef unsigned int word;

static unsigned char table[8];
int total = -5;
long big = 100000L;
const char *text = "hello";
struct point origin;
static word counts[3];

static void mark (unsigned char p)
{
    unsigned char i;
    for (i = 0; i < 3; ++i) {
        table[i] += p;
        total += i;
    }
}

int mix2 (long d, int n);
int mix (int a, char c, long l, struct point *where)
{
    int sum;
    char letters[4];
    static int calls;
    sum = a + c;
    letters[0] = 'A';
    letters[1] = c;
    letters[2] = 0;
    where->x = sum;
    where->wide = l;
    ++calls;
    if (a > 0) {
        int inner = a * 2;
        sum += inner;
        mark ((unsigned char)sum);
    }
    {
        long deep;
        deep = l + sum;
        sum += mix2 (deep, sum);
    }
    return sum;
}

int mix2 (long d, int n)
{
    register int k = n;
    return k + (int)d;
}

int main (void)
{
    int i, result = 0;
    unsigned char p = 7;
    struct point here;
    here.tag = 'T';
    for (i = 1; i < 4; ++i) {
        mark (p);
        result = mix (i, 3, 70000L, &here);
        counts[i - 1] = result;
        origin = here;
    }
    for (;;) ;
    return result;
}
