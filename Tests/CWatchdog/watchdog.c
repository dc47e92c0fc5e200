// A suite has no code of its own that runs before its first test, in whatever order its classes come.
extern void startWatchdog(void);

#ifdef __linux__
__attribute__((constructor)) static void start(void) { startWatchdog(); }
#endif
