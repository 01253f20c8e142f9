/* Token: a secret in the page's address, so that other users and other pages cannot send requests.
 */
#include <sys/random.h>

#include "frontend/view/local.h"

bool token_make(char token[TOKEN_LEN + 1]) {
  unsigned char bytes[TOKEN_LEN / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
  for (size_t k = 0; k < sizeof bytes; k++) {
    token[2 * k] = "0123456789abcdef"[bytes[k] >> 4];
    token[2 * k + 1] = "0123456789abcdef"[bytes[k] & 15];
  }
  token[TOKEN_LEN] = '\0';
  return true;
}

bool token_begins(const char token[TOKEN_LEN + 1], const char *text) {
  unsigned different = 0;
  for (int k = 0; k < TOKEN_LEN; k++) {
    different |= (unsigned char)(token[k] ^ *text);
    text += *text != '\0';
  }
  return different == 0;
}
