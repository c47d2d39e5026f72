/* Counts the primes below a hundred. */
#include <atari.h>
#include <conio.h>

static unsigned char found;

static unsigned char is_prime(unsigned char number)
{
    unsigned char divisor;

    for (divisor = 2; divisor * divisor <= number; ++divisor) {
        if (number % divisor == 0) {
            return 0;
        }
    }
    return 1;
}

int main(void)
{
    unsigned char number;

    clrscr();
    OS.color2 = 0x94;
    for (number = 2; number < 100; ++number) {
        if (is_prime(number)) {
            ++found;
            cprintf("%u ", number);
        }
    }
    cprintf("\r\n%u PRIMES\r\n", found);
    for (;;) {
    }
    return 0;
}
