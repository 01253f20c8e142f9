/* Front_dict: the words of the language as a libFuzzer dictionary, from the compiler's own tables.
 */
#include <ctype.h>
#include <stdio.h>

static const char *const words[] = {
#define KEYWORD(id, spelling, versions, roles, other) spelling,
#define OPERATOR(id, spelling, roles) spelling,
#define SPELLING(id, spelling) spelling,
#include "frontend/syntax/tokens.def"
#define BUILTIN(id, name, sig, lowering, text, meaning) name,
#include "frontend/lang/builtins.def"
    "#version 1.0\n",
    "#version 2.0\n",
    "tent",
    "bspln3",
    "strand s (int i) { ",
    "output real x = ",
    "update { stabilize; } ",
    "create_array { s(i) | i in 0..9 }",
    ".all",
    ".active",
    "pos",
};

int main(void) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    putchar('"');
    for (const char *at = words[i]; *at; at++) {
      const unsigned char byte = (unsigned char)*at;
      if (isalnum(byte)) putchar(byte);
      else printf("\\x%02X", (unsigned)byte);
    }
    puts("\"");
  }
  return 0;
}
