// The content codings of HTTP (RFC 9110 section 8.4.1, RFC 7932, RFC 8878), undone by the libraries that
// libcurl itself brings into the process. libcurl's own decoding is not used because it takes a body that
// was cut off for a whole one.
#ifndef CCODINGS_H
#define CCODINGS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ccoding ccoding;

enum {
    CCODING_GZIP = 0,
    CCODING_DEFLATE = 1,
    CCODING_BROTLI = 2,
    CCODING_ZSTD = 3,
};

/// Whether the library of a coding is there. Safe to call from any thread.
int ccoding_is_available(int kind);

/// A decoder of one body; NULL where the library is not there or there is no memory.
ccoding *ccoding_new(int kind);
void ccoding_free(ccoding *coding);

enum {
    /// All input was taken; the body goes on.
    CCODING_WANTS_INPUT = 0,
    /// The output is full; there may be more.
    CCODING_WANTS_ROOM = 1,
    /// The body is complete. Input may be left: what follows is not part of it.
    CCODING_END = 2,
    /// The input is not of this coding.
    CCODING_MALFORMED = 3,
};

/// Decodes some input to some output, and moves both on by what was taken and written.
int ccoding_decode(
    ccoding *coding, const uint8_t **input, size_t *input_size, uint8_t **output, size_t *output_size);

/// Compresses data as DEFLATE without a frame (RFC 1951).
/// Returns the number of bytes written; 0 if they do not fit, or the library is not there.
size_t ccoding_deflate(const uint8_t *input, size_t input_size, uint8_t *output, size_t output_size);

#ifdef __cplusplus
}
#endif

#endif
