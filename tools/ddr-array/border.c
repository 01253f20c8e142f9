/* border.c: see border.h. */
#include "tools/ddr-array/border.h"

#include <string.h>

#include "tools/ddr-array/arguments.h"

ddr_status read_border(const char *text, ddr_outside *border, ddr_reason *reason) {
  static const char *const names[] = {[DDR_EXTEND_NONE] = "none",
                                      [DDR_EXTEND_CLAMP] = "clamp",
                                      [DDR_EXTEND_MIRROR] = "mirror",
                                      [DDR_EXTEND_WRAP] = "wrap"};
  for (int k = 0; k < 4; k++) {
    if (strcmp(text, names[k]) != 0) continue;
    *border = (ddr_outside){.extension = (ddr_extension)k};
    return DDR_OK;
  }
  int n = 0;
  double value[MOST_WEIGHTS];
  static const char constant[] = "constant:";
  const bool is_constant = strncmp(text, constant, sizeof constant - 1) == 0;
  if (is_constant &&
      read_reals(OPT_BORDER, text + sizeof constant - 1, value, &n, reason) != DDR_OK)
    return DDR_ERROR;
  if (n != 1)
    return ddr_refuse(reason, "--border expects %s, found \"%.200s\"", option_argument(OPT_BORDER),
                      text);
  *border = (ddr_outside){.extension = DDR_EXTEND_CONSTANT, .value = value[0]};
  return DDR_OK;
}
