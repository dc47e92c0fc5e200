// What this project uses of the C library, as POSIX and the manual pages of Darwin describe it.

#pragma once

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef long time_t;
typedef int suseconds_t;
typedef long long off_t;
typedef unsigned short mode_t;
typedef unsigned short nlink_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef int pid_t;
typedef unsigned int nfds_t;
typedef unsigned int socklen_t;
typedef unsigned char sa_family_t;
typedef unsigned short in_port_t;
typedef unsigned int in_addr_t;
typedef unsigned long rlim_t;
typedef unsigned int sigset_t;


#pragma clang assume_nonnull begin

// Errors.
extern int *__error(void);
char *strerror(int);
#define EPERM 1
#define ENOENT 2
#define EXDEV 18
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define ECHILD 10
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENFILE 23
#define ENOBUFS 55
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define ENOTSOCK 38
#define ENOTSUP 45
#define EADDRINUSE 48
#define ENETDOWN 50
#define ENETUNREACH 51
#define ECONNABORTED 53
#define ECONNRESET 54
#define ENOBUFS 55
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define ENAMETOOLONG 63
#define EHOSTDOWN 64
#define EHOSTUNREACH 65
#define ENOTEMPTY 66
#define EDQUOT 69
#define ENOLCK 77
#define ENODATA 96
#define EOPNOTSUPP 102

// Files.
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x0020
#define AT_REMOVEDIR 0x0080
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define F_SETNOSIGPIPE 73
#define FD_CLOEXEC 1
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define UTIME_NOW -1
#define UTIME_OMIT -2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};

struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    int64_t st_blocks;
    int32_t st_blksize;
    uint32_t st_flags;
    uint32_t st_gen;
};

struct dirent {
    uint64_t d_ino;
    uint64_t d_seekoff;
    uint16_t d_reclen;
    uint16_t d_namlen;
    uint8_t d_type;
    char d_name[1024];
};
typedef struct DIR DIR;
struct DIR {
    int fd;
};

int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);
int fstatat(int, const char *, struct stat *, int);
int close(int);
int dup(int);
ssize_t read(int, void *_Nullable, size_t);
ssize_t write(int, const void *_Nullable, size_t);
ssize_t pread(int, void *_Nullable, size_t, off_t);
ssize_t pwrite(int, const void *_Nullable, size_t, off_t);
off_t lseek(int, off_t, int);
int mkdir(const char *, mode_t);
int mkdirat(int, const char *, mode_t);
int rmdir(const char *);
int chown(const char *, uid_t, gid_t);
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
mode_t umask(mode_t);
int access(const char *, int);
int unlink(const char *);
int unlinkat(int, const char *, int);
int symlink(const char *, const char *);
int link(const char *, const char *);
int rename(const char *, const char *);
int renameat(int, const char *, int, const char *);
int ftruncate(int, off_t);
int fsync(int);
int fclonefileat(int, int, const char *, unsigned int);
int fchmodat(int, const char *, mode_t, int);
int flock(int, int);
int futimens(int, const struct timespec *_Nullable);
int utimensat(int, const char *, const struct timespec *_Nullable, int);
int mkfifo(const char *, mode_t);
int isatty(int);
int pipe(int *_Nullable);
DIR *_Nullable fdopendir(int);
DIR *_Nullable opendir(const char *);
struct dirent *_Nullable readdir(DIR *);
int closedir(DIR *);

// Processes, time, memory.
uid_t getuid(void);
uid_t geteuid(void);
gid_t getegid(void);
pid_t getpid(void);
pid_t getpgid(pid_t);
int kill(pid_t, int);
void exit(int) __attribute__((noreturn));
unsigned int sleep(unsigned int);
int usleep(unsigned int);
int memcmp(const void *_Nullable, const void *_Nullable, size_t);
void *_Nullable memchr(const void *_Nullable, int, size_t);
size_t strlen(const char *);
void *_Nullable malloc(size_t);
void *_Nullable realloc(void *_Nullable, size_t);
void free(void *_Nullable);
char *_Nullable getenv(const char *);
int atexit(void (*)(void));
int setenv(const char *, const char *, int);
int unsetenv(const char *);
typedef enum {
    _CLOCK_REALTIME = 0,
    _CLOCK_MONOTONIC = 6,
    _CLOCK_PROCESS_CPUTIME_ID = 12
} clockid_t;
int clock_gettime(clockid_t, struct timespec *);
#define SIGHUP 1
#define SIGINT 2
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define SIGXCPU 24
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
int sigemptyset(sigset_t *);
int sigaddset(sigset_t *, int);
int sigprocmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);
int pthread_sigmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);
struct rusage {
    struct timeval ru_utime;
    struct timeval ru_stime;
    long ru_maxrss;
};
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN -1
int getrusage(int, struct rusage *);
typedef struct FILE FILE;
struct FILE {
    int fd;
};
extern FILE *stdout;
extern FILE *stderr;
int fflush(FILE *_Nullable);
int fputs(const char *, FILE *);

// Sockets.
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define IPPROTO_TCP 6
#define SOL_SOCKET 0xffff
#define SO_ACCEPTCONN 0x0002
#define SO_REUSEADDR 0x0004
#define SO_LINGER 0x0080
#define SO_SNDBUF 0x1001
#define SO_RCVBUF 0x1002
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_ERROR 0x1007
#define SO_NOSIGPIPE 0x1022
#define SO_NWRITE 0x1024
#define TCP_NODELAY 0x01
#define MSG_PEEK 0x2
#define MSG_DONTWAIT 0x80
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define SOMAXCONN 128
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020

struct in_addr {
    in_addr_t s_addr;
};
struct in6_addr {
    uint8_t bytes[16];
};
struct sockaddr {
    uint8_t sa_len;
    sa_family_t sa_family;
    char sa_data[14];
};
struct sockaddr_in {
    uint8_t sin_len;
    sa_family_t sin_family;
    in_port_t sin_port;
    struct in_addr sin_addr;
    char sin_zero[8];
};
struct sockaddr_in6 {
    uint8_t sin6_len;
    sa_family_t sin6_family;
    in_port_t sin6_port;
    uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr;
    uint32_t sin6_scope_id;
};
#define IFF_UP 0x1
struct ifaddrs {
    struct ifaddrs *_Null_unspecified ifa_next;
    char *_Null_unspecified ifa_name;
    unsigned int ifa_flags;
    struct sockaddr *_Null_unspecified ifa_addr;
    struct sockaddr *_Null_unspecified ifa_netmask;
    struct sockaddr *_Null_unspecified ifa_dstaddr;
    void *_Null_unspecified ifa_data;
};
int getifaddrs(struct ifaddrs *_Null_unspecified *_Null_unspecified);
void freeifaddrs(struct ifaddrs *_Null_unspecified);
int gethostname(char *_Null_unspecified, size_t);
struct sockaddr_un {
    uint8_t sun_len;
    sa_family_t sun_family;
    char sun_path[104];
};
struct linger {
    int l_onoff;
    int l_linger;
};
struct pollfd {
    int fd;
    short events;
    short revents;
};
int socket(int, int, int);
int bind(int, const struct sockaddr *, socklen_t);
int listen(int, int);
int accept(int, struct sockaddr *_Nullable, socklen_t *_Nullable);
int connect(int, const struct sockaddr *, socklen_t);
int shutdown(int, int);
int getsockname(int, struct sockaddr *_Nullable, socklen_t *_Nullable);
int getsockopt(int, int, int, void *_Nullable, socklen_t *_Nullable);
int setsockopt(int, int, int, const void *_Nullable, socklen_t);
ssize_t recv(int, void *_Nullable, size_t, int);
ssize_t send(int, const void *_Nullable, size_t, int);
int poll(struct pollfd *_Nullable, nfds_t, int);
int inet_pton(int, const char *, void *);
const char *_Nullable inet_ntop(int, const void *, char *, socklen_t);
#define INET6_ADDRSTRLEN 46

double sin(double);
double cos(double);
double tan(double);
double pow(double, double);
double exp(double);
double log(double);
double log10(double);
double sqrt(double);
double floor(double);
double ceil(double);
double fabs(double);
double fmod(double, double);

#pragma clang assume_nonnull end
