/* All modes of cc65's library on one device. Prints "all good", or the line of the first check that failed. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef DEVICE
#define DEVICE "H:"
#endif
/* What the device makes of every byte: TEXT devices give line ends back as they came, and LF, CR and TAB as ATASCII has them. */
#ifdef TEXT
#define READ_BACK(c) ((c) == 10 || (c) == 13 ? 155 : (c) == 9 ? 127 : (c))
#else
#define READ_BACK(c) (c)
#endif

extern unsigned char _oserror;
static unsigned char bytes[700];
static unsigned char found[1500];

static void failed(int line)
{
    printf("line %d failed: %d\n", line, _oserror);
    for (;;) {
    }
}

#define CHECK(condition) if (!(condition)) failed(__LINE__)

static void write_all(const char* name, int mode, const void* data, int length)
{
    int file = open(name, mode);
    CHECK(file >= 0);
    CHECK(write(file, data, length) == length);
    CHECK(close(file) == 0);
}

static int read_all(const char* name)
{
    int length, total = 0;
    int file = open(name, O_RDONLY);
    CHECK(file >= 0);
    while ((length = read(file, found + total, 97)) > 0) {
        total += length;
    }
    CHECK(length == 0);
    CHECK(close(file) == 0);
    return total;
}

int main(void)
{
    int i, length, file;
    FILE* stream;

    /* Every byte but CR and LF side by side, which a text device takes for one line end. */
    for (i = 0; i < 700; ++i) {
        bytes[i] = i * 7;
    }
    write_all(DEVICE "BYTES.DAT", O_WRONLY | O_CREAT | O_TRUNC, bytes, 700);
    CHECK(read_all(DEVICE "BYTES.DAT") == 700);
    for (i = 0; i < 700; ++i) {
        CHECK(found[i] == READ_BACK(bytes[i]));
    }

    write_all(DEVICE "BYTES.DAT", O_WRONLY | O_CREAT | O_APPEND, "tail", 4);
    CHECK(read_all(DEVICE "BYTES.DAT") == 704);
    CHECK(memcmp(found + 700, "tail", 4) == 0);

    write_all(DEVICE "BYTES.DAT", O_WRONLY | O_CREAT | O_TRUNC, "short", 5);
    CHECK(read_all(DEVICE "BYTES.DAT") == 5);
    CHECK(memcmp(found, "short", 5) == 0);

    file = open(DEVICE "BYTES.DAT", O_RDWR);
    CHECK(file >= 0);
    CHECK(read(file, found, 2) == 2);
    CHECK(write(file, "OUT", 3) == 3);
    CHECK(close(file) == 0);
    CHECK(read_all(DEVICE "BYTES.DAT") == 5);
    CHECK(memcmp(found, "shOUT", 5) == 0);

    stream = fopen(DEVICE "LINES.TXT", "w");
    CHECK(stream != NULL);
    for (i = 0; i < 20; ++i) {
        CHECK(fprintf(stream, "line %d\n", i) > 0);
    }
    CHECK(fclose(stream) == 0);
    stream = fopen(DEVICE "LINES.TXT", "r");
    CHECK(stream != NULL);
    for (i = 0; fgets((char*) found, 100, stream) != NULL; ++i) {
        CHECK(sscanf((char*) found, "line %d", &length) == 1 && length == i);
    }
    CHECK(i == 20);
    CHECK(fclose(stream) == 0);

    CHECK(open(DEVICE "NONE.TXT", O_RDONLY) < 0);
    CHECK(_oserror == 170);
    CHECK(rename(DEVICE "LINES.TXT", DEVICE "NEW.TXT") == 0);
    CHECK(open(DEVICE "LINES.TXT", O_RDONLY) < 0);
    CHECK(read_all(DEVICE "NEW.TXT") > 100);
    CHECK(remove(DEVICE "NEW.TXT") == 0);
    CHECK(open(DEVICE "NEW.TXT", O_RDONLY) < 0);

    printf("all good\n");
    for (;;) {
    }
}
