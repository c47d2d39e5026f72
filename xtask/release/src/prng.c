/* Every Windows since 7 has bcryptprimitives.dll, wine 8 has not: this library takes its place, for trials only. */
int SystemFunction036(void *bytes, unsigned long length);
__declspec(dllexport) int ProcessPrng(void *bytes, unsigned long long length) { return SystemFunction036(bytes, length); }
