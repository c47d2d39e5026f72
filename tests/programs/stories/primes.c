#include <stdio.h>
#include <conio.h>
#include <string.h>

/* Counts primes below 200 with a sieve, and the sum of each decade. There are
   46; the program says something else. */
static unsigned char sieve[200];
static unsigned int decade[20];

static void mark (unsigned char p)
{
    unsigned char i;
    for (i = p + p; i < 200; i += p) {
        sieve[i] = 1;
        if (i + p > 255) break;
    }
}

static unsigned char count (void)
{
    unsigned char n = 0, i;
    for (i = 2; i < 200; ++i) {
        if (!sieve[i]) {
            ++n;
            decade[i / 10] += i;
        }
    }
    return n;
}

int main (void)
{
    unsigned char p, n;
    memset (sieve, 0, sizeof (sieve));
    for (p = 2; p < 13; ++p) {       /* fault: 13 * 13 is below 200 */
        if (!sieve[p]) mark (p);
    }
    n = count ();
    printf ("%u primes\n", n);
    for (p = 0; p < 20; ++p) printf ("%u ", decade[p]);
    for (;;) ;
    return 0;
}
