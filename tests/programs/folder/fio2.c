/* Opens files by the names that cc65's library makes: in capitals, with a zero byte at the end. Prints a line for each. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

extern unsigned char _oserror;

static void open_one(const char* name, int mode)
{
    int file = open(name, mode);
    printf("%s %s %d\n", name, file >= 0 ? "good" : "bad", _oserror);
    if (file >= 0) {
        if (mode & O_WRONLY) {
            write(file, "hi\n", 3);
        }
        close(file);
    }
}

int main(void)
{
    open_one("H:C.TXT", O_WRONLY | O_CREAT | O_TRUNC);
    open_one("H1:D.TXT", O_WRONLY | O_CREAT | O_TRUNC);
    open_one("h:e.txt", O_WRONLY | O_CREAT | O_TRUNC);
    open_one("H:KEEP.TXT", O_RDONLY);
    open_one("D:KEEP.TXT", O_RDONLY);
    for (;;) {
    }
}
