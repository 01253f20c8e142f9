/* Inputs of programs that every_fault.c runs: hidden files in the folder of the test. */
#pragma once

#include "tests/unit/formats/bytes.h"
#include "tests/unit/runtime/files.h"

enum { INPUT_LEN = 8 };

/* .bytes.nrrd: 3 by 2; .image.nrrd: 8 by 8 floats, a sum of products; the same as .pair.nrrd with
 * two components, whose data is in .pair.raw; .packed.nhdr: it in gzip, in .packed.gz; .list.txt:
 * whole numbers.
 */
static inline void inputs_make(void) {
  static const char place[] = "space dimension: 2\nspace directions: %s(1,0) (0,1)\n"
                              "space origin: (0,0)\n";
  float image[INPUT_LEN * INPUT_LEN], pair[2 * INPUT_LEN * INPUT_LEN];
  for (int k = 0; k < INPUT_LEN * INPUT_LEN; k++) {
    image[k] = (float)((k % INPUT_LEN) * (k / INPUT_LEN)) / 4 + 1;
    pair[2 * k] = image[k];
    pair[2 * k + 1] = -(float)k;
  }
  char header[512], where[128];
  files_write_nrrd(".bytes.nrrd",
                   "NRRD0001\ntype: uchar\ndimension: 2\nsizes: 3 2\nencoding: raw\n\n", "......",
                   6);
  snprintf(where, sizeof where, place, "");
  snprintf(header, sizeof header,
           "NRRD0004\ntype: float\ndimension: 2\nsizes: 8 8\nendian: little\nencoding: raw\n%s\n",
           where);
  files_write_nrrd(".image.nrrd", header, image, sizeof image);
  snprintf(where, sizeof where, place, "none ");
  snprintf(header, sizeof header,
           "NRRD0004\ntype: float\ndimension: 3\nsizes: 2 8 8\nkinds: 2-vector domain domain\n"
           "endian: little\nencoding: raw\n%sdata file: .pair.raw\n",
           where);
  files_write(".pair.nhdr", header, strlen(header));
  files_write(".pair.raw", pair, sizeof pair);
  static Bytes packed;
  packed = (Bytes){.n = sizeof image};
  memcpy(packed.data, image, sizeof image);
  wrap_in_gzip(&packed);
  snprintf(where, sizeof where, place, "");
  snprintf(header, sizeof header,
           "NRRD0004\ntype: float\ndimension: 2\nsizes: 8 8\nendian: little\nencoding: gzip\n%s"
           "data file: .packed.gz\n",
           where);
  files_write(".packed.nhdr", header, strlen(header));
  files_write(".packed.gz", packed.data, packed.n);
  files_write(".list.txt", "3\n1\n4\n1\n5\n", 10);
}
