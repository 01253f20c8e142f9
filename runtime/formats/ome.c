/* ome.c: what the XML in an OME-TIFF says about the distances between samples.
 *
 * Only the attributes of its first element Pixels are needed, so there is no parser of XML.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/formats/format_local.h"

/* The value of an attribute between `begin` and `end`, from behind the quote on; NULL: there is
 * none. */
static const char *find_attribute(const char *begin, const char *end, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = begin; (size_t)(end - at) > n + 2; at++) {
    if (strchr(" \t\r\n", at[0]) && strncmp(at + 1, name, n) == 0 && at[n + 1] == '=' &&
        (at[n + 2] == '"' || at[n + 2] == '\'')) {
      return at + n + 3;
    }
  }
  return NULL;
}

static double number_of(const char *begin, const char *end, const char *name, double otherwise) {
  const char *text = find_attribute(begin, end, name);
  const double number = text ? strtod(text, NULL) : otherwise;
  return number > 0 && number < 1e30 ? number : otherwise;
}

/* A unit in micrometres, which are the default; 0: the unit is unknown. */
static double unit_of(const char *begin, const char *end, const char *name) {
  static const struct {
    const char *text;
    double size;
  } units[] = {{"\xc2\xb5m", 1}, {"\xce\xbcm", 1}, {"um", 1},         {"nm", 1e-3},
               {"mm", 1e3},      {"cm", 1e4},      {"m", 1e6},        {"pm", 1e-6},
               {"&#181;m", 1},   {"&#xb5;m", 1},   {"\xc3\x85", 1e-4}};
  const char *text = find_attribute(begin, end, name);
  if (!text) return 1;
  for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
    const size_t n = strlen(units[k].text);
    if (strncmp(text, units[k].text, n) == 0 && (text[n] == '"' || text[n] == '\'')) {
      return units[k].size;
    }
  }
  return 0;
}

bool ome_find_pixels(const char *text, OmePixels *pixels) {
  const char *begin = strstr(text, "<OME") ? strstr(text, "<Pixels") : NULL;
  const char *end = begin ? strchr(begin, '>') : NULL;
  static const char *const lengths[] = {"PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ"};
  static const char *const units[] = {"PhysicalSizeXUnit", "PhysicalSizeYUnit",
                                      "PhysicalSizeZUnit"};
  if (!end) return false;
  for (int axis = 0; axis < 3; axis++) {
    const double unit = unit_of(begin, end, units[axis]);
    pixels->spacing[axis] = unit * number_of(begin, end, lengths[axis], 0);
    pixels->has_spacing[axis] = pixels->spacing[axis] > 0;
  }
  pixels->n_channels = number_of(begin, end, "SizeC", 1);
  pixels->n_times = number_of(begin, end, "SizeT", 1);
  return true;
}
