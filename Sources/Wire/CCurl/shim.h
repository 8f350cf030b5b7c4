// What Freshet uses of libcurl, in declarations of its own: the library is loaded at run time, so that
// nothing of it is needed to build. Header only. The numbers are of libcurl's stable interface; the
// program compares those of the options with what the loaded library says (CurlLibrary).
#ifndef FRESHET_CCURL_SHIM_H
#define FRESHET_CCURL_SHIM_H

#include <dlfcn.h>
#include <stddef.h>

// Handles. All three are opaque.
typedef struct freshet_curl_easy freshet_curl_easy;
typedef struct freshet_curl_multi freshet_curl_multi;
typedef struct freshet_curl_list freshet_curl_list;

// Options of an easy handle: the kind (a number, an address, a function, a long number) times 10,000
// and a number.
enum {
    FRESHET_CURL_PORT = 3,
    FRESHET_CURL_NOBODY = 44,
    FRESHET_CURL_POST = 47,
    FRESHET_CURL_FOLLOWLOCATION = 52,
    FRESHET_CURL_HTTPPROXYTUNNEL = 61,
    FRESHET_CURL_FRESH_CONNECT = 74,
    FRESHET_CURL_HTTP_VERSION = 84,
    FRESHET_CURL_BUFFERSIZE = 98,
    FRESHET_CURL_NOSIGNAL = 99,
    FRESHET_CURL_CONNECTTIMEOUT_MS = 156,
    FRESHET_CURL_PROTOCOLS = 181,
    FRESHET_CURL_TCP_KEEPALIVE = 213,
    FRESHET_CURL_PATH_AS_IS = 234,
    FRESHET_CURL_SUPPRESS_CONNECT_HEADERS = 265,
    FRESHET_CURL_DISALLOW_USERNAME_IN_URL = 278,
    FRESHET_CURL_HTTP09_ALLOWED = 285,
    FRESHET_CURL_UPLOAD_BUFFERSIZE = 280,
    FRESHET_CURL_QUICK_EXIT = 322,

    FRESHET_CURL_WRITEDATA = 10001,
    FRESHET_CURL_URL = 10002,
    FRESHET_CURL_PROXY = 10004,
    FRESHET_CURL_READDATA = 10009,
    FRESHET_CURL_ERRORBUFFER = 10010,
    FRESHET_CURL_HTTPHEADER = 10023,
    FRESHET_CURL_SSLCERT = 10025,
    FRESHET_CURL_HEADERDATA = 10029,
    FRESHET_CURL_CUSTOMREQUEST = 10036,
    FRESHET_CURL_CAINFO = 10065,
    FRESHET_CURL_SSLKEY = 10087,
    FRESHET_CURL_CAPATH = 10097,
    FRESHET_CURL_ACCEPT_ENCODING = 10102,
    FRESHET_CURL_PRIVATE = 10103,
    FRESHET_CURL_OPENSOCKETDATA = 10164,
    FRESHET_CURL_COPYPOSTFIELDS = 10165,
    FRESHET_CURL_SEEKDATA = 10168,
    FRESHET_CURL_NOPROXY = 10177,
    FRESHET_CURL_UNIX_SOCKET_PATH = 10231,
    FRESHET_CURL_PROXY_CAINFO = 10246,
    FRESHET_CURL_PROXY_CAPATH = 10247,
    FRESHET_CURL_PREREQDATA = 10313,

    FRESHET_CURL_WRITEFUNCTION = 20011,
    FRESHET_CURL_READFUNCTION = 20012,
    FRESHET_CURL_HEADERFUNCTION = 20079,
    FRESHET_CURL_OPENSOCKETFUNCTION = 20163,
    FRESHET_CURL_SEEKFUNCTION = 20167,
    FRESHET_CURL_PREREQFUNCTION = 20312,

    FRESHET_CURL_POSTFIELDSIZE_LARGE = 30120,
};

// Options of a multi handle.
enum {
    FRESHET_CURLM_MAXCONNECTS = 6,
    FRESHET_CURLM_MAX_HOST_CONNECTIONS = 7,
    FRESHET_CURLM_SOCKETDATA = 10002,
    FRESHET_CURLM_TIMERDATA = 10005,
    FRESHET_CURLM_SOCKETFUNCTION = 20001,
    FRESHET_CURLM_TIMERFUNCTION = 20004,
};

// Values.
enum {
    FRESHET_CURL_HTTP = 1,
    FRESHET_CURL_HTTPS = 2,
    FRESHET_CURL_HTTP_1_1 = 2,
    FRESHET_CURL_FEATURE_SSL = 1 << 2,
    FRESHET_CURL_FEATURE_ASYNC_DNS = 1 << 7,
    FRESHET_CURL_GLOBAL_DEFAULT = 3,
    FRESHET_CURL_INFO_RESPONSE_CODE = 0x200002,
    FRESHET_CURL_INFO_NUM_CONNECTS = 0x20001A,
    FRESHET_CURL_INFO_CAINFO = 0x10003D,
    FRESHET_CURL_INFO_PRIVATE = 0x100015,
    FRESHET_CURL_INFO_TLS_SSL_PTR = 0x40002D,
    FRESHET_CURL_OPENSSL = 1,
    FRESHET_CURL_POLL_IN = 1,
    FRESHET_CURL_POLL_OUT = 2,
    FRESHET_CURL_POLL_INOUT = 3,
    FRESHET_CURL_POLL_REMOVE = 4,
    FRESHET_CURL_SELECT_IN = 1,
    FRESHET_CURL_SELECT_OUT = 2,
    FRESHET_CURL_SELECT_ERR = 4,
    FRESHET_CURL_SOCKET_TIMEOUT = -1,
    FRESHET_CURL_SOCKET_BAD = -1,
    FRESHET_CURL_PAUSE_NONE = 0,
    FRESHET_CURL_PREREQ_OK = 0,
    FRESHET_CURL_PREREQ_ABORT = 1,
    FRESHET_CURL_MESSAGE_DONE = 1,
    // What a write callback returns so that the bytes are offered again after a resumption.
    FRESHET_CURL_WRITE_PAUSE = 0x10000001,
    FRESHET_CURL_ERROR_BYTES = 256,
};

// An address that a connection is about to be made to; `address` is a struct sockaddr.
typedef struct {
    int family;
    int type;
    int protocol;
    unsigned int length;
    unsigned char address[128];
} freshet_curl_address;

// The end of a transfer.
typedef struct {
    int message;
    freshet_curl_easy *easy;
    union {
        void *whatever;
        int result;
    } data;
} freshet_curl_message;

// The first members of what curl_version_info answers, unchanged since libcurl 7.10.
typedef struct {
    int age;
    const char *version;
    unsigned int number;
    const char *host;
    int features;
    const char *tls;
} freshet_curl_version;

// What FRESHET_CURL_INFO_TLS_SSL_PTR answers; `internals` is OpenSSL's connection, if it is that one.
typedef struct {
    int backend;
    void *internals;
} freshet_curl_tls;

// The first members of what curl_easy_option_by_name answers.
typedef struct {
    const char *name;
    int id;
} freshet_curl_option;

// Signatures of callbacks.
typedef size_t (*freshet_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*freshet_curl_seek)(void *context, long long offset, int origin);
typedef int (*freshet_curl_prereq)(
    void *context, char *remote, char *local, int remote_port, int local_port);
typedef int (*freshet_curl_open)(void *context, int purpose, freshet_curl_address *address);
typedef int (*freshet_curl_watch)(
    freshet_curl_easy *easy, int socket, int what, void *context, void *socket_context);
typedef int (*freshet_curl_timer)(freshet_curl_multi *multi, long milliseconds, void *context);

// The library's functions. Those with a variable number of arguments have no type in Swift and are
// called by the wrappers below alone.
typedef struct {
    int (*global_init)(long flags);
    const freshet_curl_version *(*version_info)(int age);
    freshet_curl_easy *(*easy_init)(void);
    void (*easy_cleanup)(freshet_curl_easy *);
    int (*easy_pause)(freshet_curl_easy *, int mask);
    const char *(*easy_strerror)(int code);
    const freshet_curl_option *(*easy_option_by_name)(const char *name);
    freshet_curl_list *(*slist_append)(freshet_curl_list *, const char *line);
    void (*slist_free_all)(freshet_curl_list *);
    freshet_curl_multi *(*multi_init)(void);
    int (*multi_cleanup)(freshet_curl_multi *);
    int (*multi_add_handle)(freshet_curl_multi *, freshet_curl_easy *);
    int (*multi_remove_handle)(freshet_curl_multi *, freshet_curl_easy *);
    int (*multi_socket_action)(freshet_curl_multi *, int socket, int events, int *running);
    freshet_curl_message *(*multi_info_read)(freshet_curl_multi *, int *left);
    const char *(*multi_strerror)(int code);
    void *easy_setopt;
    void *easy_getinfo;
    void *multi_setopt;
    // SSL_free_buffers of OpenSSL 1.1.1 and newer, which gives back a connection's buffers that
    // nothing is in; NULL where TLS is another library's.
    int (*openssl_free_buffers)(void *connection);
} freshet_curl;

// Fills the table from a library that dlopen has opened.
//
// Returns the name of the first function that the library lacks, or NULL.
static inline const char *freshet_curl_load(void *library, freshet_curl *table) {
#define FRESHET_CURL_TAKE(member, name)                         \
    {                                                           \
        void *function = dlsym(library, name);                  \
        if (!function) return name;                             \
        __builtin_memcpy(&table->member, &function, sizeof function); \
    }
    FRESHET_CURL_TAKE(global_init, "curl_global_init")
    FRESHET_CURL_TAKE(version_info, "curl_version_info")
    FRESHET_CURL_TAKE(easy_init, "curl_easy_init")
    FRESHET_CURL_TAKE(easy_cleanup, "curl_easy_cleanup")
    FRESHET_CURL_TAKE(easy_pause, "curl_easy_pause")
    FRESHET_CURL_TAKE(easy_strerror, "curl_easy_strerror")
    FRESHET_CURL_TAKE(easy_option_by_name, "curl_easy_option_by_name")
    FRESHET_CURL_TAKE(slist_append, "curl_slist_append")
    FRESHET_CURL_TAKE(slist_free_all, "curl_slist_free_all")
    FRESHET_CURL_TAKE(multi_init, "curl_multi_init")
    FRESHET_CURL_TAKE(multi_cleanup, "curl_multi_cleanup")
    FRESHET_CURL_TAKE(multi_add_handle, "curl_multi_add_handle")
    FRESHET_CURL_TAKE(multi_remove_handle, "curl_multi_remove_handle")
    FRESHET_CURL_TAKE(multi_socket_action, "curl_multi_socket_action")
    FRESHET_CURL_TAKE(multi_info_read, "curl_multi_info_read")
    FRESHET_CURL_TAKE(multi_strerror, "curl_multi_strerror")
    FRESHET_CURL_TAKE(easy_setopt, "curl_easy_setopt")
    FRESHET_CURL_TAKE(easy_getinfo, "curl_easy_getinfo")
    FRESHET_CURL_TAKE(multi_setopt, "curl_multi_setopt")
#undef FRESHET_CURL_TAKE
    // A lookup by the library finds what the libraries that it needs define.
    void *function = dlsym(library, "SSL_free_buffers");
    __builtin_memcpy(&table->openssl_free_buffers, &function, sizeof function);
    return NULL;
}

// curl_easy_setopt by the type of the value. Each answers a CURLcode.
typedef int (*freshet_curl_easy_variadic)(freshet_curl_easy *, int, ...);
typedef int (*freshet_curl_multi_variadic)(freshet_curl_multi *, int, ...);

static inline int freshet_curl_set_number(
    const freshet_curl *curl, freshet_curl_easy *easy, int option, long value) {
    return ((freshet_curl_easy_variadic)curl->easy_setopt)(easy, option, value);
}

static inline int freshet_curl_set_size(
    const freshet_curl *curl, freshet_curl_easy *easy, int option, long long value) {
    return ((freshet_curl_easy_variadic)curl->easy_setopt)(easy, option, value);
}

static inline int freshet_curl_set_address(
    const freshet_curl *curl, freshet_curl_easy *easy, int option, const void *value) {
    return ((freshet_curl_easy_variadic)curl->easy_setopt)(easy, option, value);
}

static inline int freshet_curl_set_bytes(
    const freshet_curl *curl, freshet_curl_easy *easy, int option, freshet_curl_bytes function) {
    return ((freshet_curl_easy_variadic)curl->easy_setopt)(easy, option, function);
}

static inline int freshet_curl_set_seek(
    const freshet_curl *curl, freshet_curl_easy *easy, freshet_curl_seek function) {
    return ((freshet_curl_easy_variadic)curl->easy_setopt)(
        easy, FRESHET_CURL_SEEKFUNCTION, function);
}

static inline int freshet_curl_set_prereq(
    const freshet_curl *curl, freshet_curl_easy *easy, freshet_curl_prereq function) {
    return ((freshet_curl_easy_variadic)curl->easy_setopt)(
        easy, FRESHET_CURL_PREREQFUNCTION, function);
}

static inline int freshet_curl_set_open(
    const freshet_curl *curl, freshet_curl_easy *easy, freshet_curl_open function) {
    return ((freshet_curl_easy_variadic)curl->easy_setopt)(
        easy, FRESHET_CURL_OPENSOCKETFUNCTION, function);
}

static inline int freshet_curl_get(
    const freshet_curl *curl, freshet_curl_easy *easy, int info, void *value) {
    return ((freshet_curl_easy_variadic)curl->easy_getinfo)(easy, info, value);
}

static inline int freshet_curl_multi_set_number(
    const freshet_curl *curl, freshet_curl_multi *multi, int option, long value) {
    return ((freshet_curl_multi_variadic)curl->multi_setopt)(multi, option, value);
}

static inline int freshet_curl_multi_set_watch(
    const freshet_curl *curl, freshet_curl_multi *multi, freshet_curl_watch function,
    void *context) {
    int code = ((freshet_curl_multi_variadic)curl->multi_setopt)(
        multi, FRESHET_CURLM_SOCKETFUNCTION, function);
    return code ? code
                : ((freshet_curl_multi_variadic)curl->multi_setopt)(
                      multi, FRESHET_CURLM_SOCKETDATA, context);
}

static inline int freshet_curl_multi_set_timer(
    const freshet_curl *curl, freshet_curl_multi *multi, freshet_curl_timer function,
    void *context) {
    int code = ((freshet_curl_multi_variadic)curl->multi_setopt)(
        multi, FRESHET_CURLM_TIMERFUNCTION, function);
    return code ? code
                : ((freshet_curl_multi_variadic)curl->multi_setopt)(
                      multi, FRESHET_CURLM_TIMERDATA, context);
}

#endif
