/* Opens a core as a frontend does, and prints what it says of itself. */
#include <stdbool.h>
#include <stdio.h>
#include <windows.h>

struct info {
    const char *name, *version, *extensions;
    bool full, block;
};

int main(int count, char **words) {
    HMODULE core = count > 1 ? LoadLibraryA(words[1]) : NULL;
    if (!core) {
        fprintf(stderr, "the core does not open: error %lu\n", GetLastError());
        return 1;
    }
    unsigned (*api)(void) = (void *)GetProcAddress(core, "retro_api_version");
    void (*tell)(struct info *) = (void *)GetProcAddress(core, "retro_get_system_info");
    struct info info;
    tell(&info);
    printf("%u %s %s\n", api(), info.name, info.version);
    return 0;
}
