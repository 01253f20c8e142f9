/* NIfTI files: samples of every type in either byte order, both versions, plain and with gzip;
 * placements against matrices computed by hand; and headers that no file should have. */
#include "bytes.h"

enum { NX = 3, NY = 4, NZ = 5 };

typedef struct {
  int version, datatype, type;
  bool is_big, is_gzip;
  int n_axes;
  int size[7];
  double slope, intercept;
  double sform[12]; /* all 0: none */
  double quatern[3], offset[3], pixdim[4];
  bool has_qform;
  int intent;
} Made;

static const Made plain = {.version = 1,
                           .datatype = 16,
                           .type = nrrdTypeFloat,
                           .n_axes = 3,
                           .size = {NX, NY, NZ},
                           .pixdim = {1, 1, 1, 1}};

static double value_of(size_t k) { return (double)(k * 7 % 101) - (double)(k % 2); }

static bool has_sform(const Made *made) {
  for (int k = 0; k < 12; k++) {
    if (made->sform[k] != 0) return true;
  }
  return false;
}

static size_t n_samples(const Made *made) {
  size_t n = 1;
  for (int k = 0; k < made->n_axes; k++) n *= (size_t)made->size[k];
  return n;
}

/* Offsets from the tables of the standards. */
static void make_1(const Made *made, Bytes *bytes) {
  put_at(bytes, 0, 348, 4);
  put_at(bytes, 40, (uint64_t)made->n_axes, 2);
  for (int k = 0; k < made->n_axes; k++)
    put_at(bytes, 42 + 2 * (size_t)k, (uint64_t)made->size[k], 2);
  put_at(bytes, 68, (uint64_t)made->intent, 2);
  put_at(bytes, 70, (uint64_t)made->datatype, 2);
  for (size_t k = 0; k < 4; k++) put_number_at(bytes, 76 + 4 * k, nrrdTypeFloat, made->pixdim[k]);
  put_number_at(bytes, 108, nrrdTypeFloat, 352);
  put_number_at(bytes, 112, nrrdTypeFloat, made->slope);
  put_number_at(bytes, 116, nrrdTypeFloat, made->intercept);
  put_at(bytes, 252, made->has_qform, 2);
  put_at(bytes, 254, has_sform(made), 2);
  for (size_t k = 0; k < 3; k++) put_number_at(bytes, 256 + 4 * k, nrrdTypeFloat, made->quatern[k]);
  for (size_t k = 0; k < 3; k++) put_number_at(bytes, 268 + 4 * k, nrrdTypeFloat, made->offset[k]);
  for (size_t k = 0; k < 12; k++) put_number_at(bytes, 280 + 4 * k, nrrdTypeFloat, made->sform[k]);
  memcpy(bytes->data + 344, "n+1", 4);
  bytes->n = 352;
}

static void make_2(const Made *made, Bytes *bytes) {
  put_at(bytes, 0, 540, 4);
  memcpy(bytes->data + 4, "n+2\0\r\n\032\n", 8);
  put_at(bytes, 12, (uint64_t)made->datatype, 2);
  put_at(bytes, 16, (uint64_t)made->n_axes, 8);
  for (int k = 0; k < made->n_axes; k++)
    put_at(bytes, 24 + 8 * (size_t)k, (uint64_t)made->size[k], 8);
  for (size_t k = 0; k < 4; k++) put_number_at(bytes, 104 + 8 * k, nrrdTypeDouble, made->pixdim[k]);
  put_at(bytes, 168, 544, 8);
  put_number_at(bytes, 176, nrrdTypeDouble, made->slope);
  put_number_at(bytes, 184, nrrdTypeDouble, made->intercept);
  put_at(bytes, 344, made->has_qform, 4);
  put_at(bytes, 348, has_sform(made), 4);
  for (size_t k = 0; k < 3; k++)
    put_number_at(bytes, 352 + 8 * k, nrrdTypeDouble, made->quatern[k]);
  for (size_t k = 0; k < 3; k++) put_number_at(bytes, 376 + 8 * k, nrrdTypeDouble, made->offset[k]);
  for (size_t k = 0; k < 12; k++) put_number_at(bytes, 400 + 8 * k, nrrdTypeDouble, made->sform[k]);
  put_at(bytes, 504, (uint64_t)made->intent, 4);
  bytes->n = 544;
}

static Bytes *make(const Made *made) {
  static Bytes bytes;
  bytes = (Bytes){.is_big = made->is_big};
  if (made->version == 1) make_1(made, &bytes);
  else make_2(made, &bytes);
  for (size_t k = 0; k < n_samples(made); k++) put_number(&bytes, made->type, value_of(k));
  if (made->is_gzip) wrap_in_gzip(&bytes);
  return &bytes;
}

/* --- samples ---------------------------------------------------------------------------------- */

static const struct {
  int datatype, type;
} types[] = {{2, nrrdTypeUChar},    {4, nrrdTypeShort},   {8, nrrdTypeInt},
             {16, nrrdTypeFloat},   {64, nrrdTypeDouble}, {256, nrrdTypeChar},
             {512, nrrdTypeUShort}, {768, nrrdTypeUInt},  {1024, nrrdTypeLLong},
             {1280, nrrdTypeULLong}};

static void check_samples(const Made *made, size_t n_at_once) {
  Read it;
  if (CHECK(read_bytes(make(made), n_at_once, &it))) {
    CHECK_STR(it.name, "NIfTI");
    CHECK_EQ(it.nrrd->type, made->type);
    CHECK_EQ(it.nrrd->dim, 3);
    bool is_same = true;
    for (size_t k = 0; k < NX * NY * NZ; k++) {
      const double stored = made->type == nrrdTypeUChar || value_of(k) >= 0 ? value_of(k) : -1;
      const double want = stored < 0 && nrrdTypeIsUnsigned[made->type] ? 0 : stored;
      const double found = nrrdDLookup[made->type](it.nrrd->data, k);
      is_same = is_same && (want == found || value_of(k) < 0);
    }
    CHECK(is_same);
    const bool is_ready = !made->is_gzip && (!made->is_big || nrrdTypeSize[made->type] == 1);
    CHECK_EQ(it.opened.offset, !is_ready ? -1 : made->version == 1 ? 352 : 544);
  } else {
    fprintf(stderr, "  %s\n", it.problem.text);
  }
  read_free(&it);
}

static void reads_every_type(void) {
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    for (int form = 0; form < 8; form++) {
      Made made = plain;
      made.datatype = types[k].datatype;
      made.type = types[k].type;
      made.version = form % 2 + 1;
      made.is_big = form & 2;
      made.is_gzip = form & 4;
      check_samples(&made, 1 + k % 3 * 17);
    }
  }
}

static void scales(void) {
  Made made = plain;
  made.datatype = 4;
  made.type = nrrdTypeShort;
  made.slope = 0.5;
  made.intercept = -3;
  Read it;
  CHECK(read_bytes(make(&made), 7, &it));
  CHECK_EQ(it.nrrd->type, nrrdTypeDouble);
  CHECK_EQ(it.opened.offset, -1);
  for (size_t k = 0; k < NX * NY * NZ; k++)
    CHECK(((double *)it.nrrd->data)[k] == 0.5 * value_of(k) - 3);
  read_free(&it);
  made.slope = 0; /* means: no scaling */
  check_samples(&made, 5);
  made.slope = 1;
  made.intercept = 0;
  check_samples(&made, 5);
  made.slope = NAN;
  check_samples(&made, 5);
  made.slope = 2;
  made.intercept = INFINITY;
  check_refusal(make(&made), "intercept");
}

/* --- axes behind those of the grid ------------------------------------------------------------ */

static void check_components(const Made *made, int n, int kind, const int *order) {
  Read it;
  if (!CHECK(read_bytes(make(made), 4, &it))) {
    read_free(&it);
    return;
  }
  const size_t n_voxels = NX * NY * NZ;
  CHECK_EQ(it.nrrd->dim, 4);
  CHECK_EQ(it.nrrd->axis[0].size, n);
  CHECK_EQ(it.nrrd->axis[0].kind, kind);
  CHECK_EQ(it.nrrd->axis[3].size, NZ);
  CHECK(it.nrrd->axis[1].spaceDirection[0] != 0);
  for (size_t k = 0; k < n_voxels * (size_t)n; k++) {
    const size_t plane = (size_t)(order ? order[k % (size_t)n] : (int)(k % (size_t)n));
    CHECK(((float *)it.nrrd->data)[k] == (float)value_of(plane * n_voxels + k / (size_t)n));
  }
  read_free(&it);
}

static void brings_vectors_together(void) {
  static const int upper[] = {0, 1, 3, 2, 4, 5};
  Made made = plain;
  made.n_axes = 5;
  made.size[3] = 1;
  made.size[4] = 3;
  check_components(&made, 3, nrrdKind3Vector, NULL);
  made.is_gzip = true;
  check_components(&made, 3, nrrdKind3Vector, NULL);
  made.size[4] = 9;
  check_components(&made, 9, nrrdKind3DMatrix, NULL);
  made.size[4] = 6;
  check_components(&made, 6, nrrdKindList, NULL);
  made.intent = 1005;
  check_components(&made, 6, nrrdKind3DSymMatrix, upper);
  made.intent = 0;
  made.n_axes = 4; /* times */
  made.size[3] = 2;
  check_components(&made, 2, nrrdKind2Vector, NULL);
  made.size[3] = 20;
  check_components(&made, 20, nrrdKindList, NULL);
}

static void reads_colours(void) {
  Made made = plain;
  made.datatype = 128;
  made.type = nrrdTypeUChar;
  made.size[0] = 3 * NX; /* the same number of bytes */
  Bytes *bytes = make(&made);
  put_at(bytes, 42, NX, 2);
  Read it;
  CHECK(read_bytes(bytes, 3, &it));
  CHECK_EQ(it.nrrd->dim, 4);
  CHECK_EQ(it.nrrd->axis[0].kind, nrrdKindRGBColor);
  CHECK(memcmp(it.nrrd->data, bytes->data + 352, 3 * NX * NY * NZ) == 0);
  CHECK_EQ(it.opened.offset, 352);
  read_free(&it);
}

/* --- places ----------------------------------------------------------------------------------- */

static void check_place(const Made *made, const double place[4][3]) {
  Read it;
  if (!CHECK(read_bytes(make(made), 60, &it))) {
    read_free(&it);
    return;
  }
  CHECK_EQ(it.nrrd->space, nrrdSpaceRightAnteriorSuperior);
  for (int row = 0; row < 3; row++) {
    for (int axis = 0; axis < 3; axis++) {
      CHECK_NEAR(it.nrrd->axis[axis].spaceDirection[row], place[axis][row], 1e-6);
    }
    CHECK_NEAR(it.nrrd->spaceOrigin[row], place[3][row], 1e-6);
  }
  read_free(&it);
}

static void takes_the_sform(void) {
  Made made = plain;
  const double rows[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  memcpy(made.sform, rows, sizeof rows);
  made.has_qform = true;
  const double place[4][3] = {{1, 5, 9}, {2, 6, 10}, {3, 7, 11}, {4, 8, 12}};
  check_place(&made, place);
  made.version = 2;
  made.is_big = true;
  check_place(&made, place);
}

/* A quarter turn about z: c = s = sqrt(1/2), a = c, d = s. */
static void else_the_qform(void) {
  Made made = plain;
  made.has_qform = true;
  made.quatern[2] = sqrt(0.5);
  const double offset[3] = {-1, -2, -3}, pixdim[4] = {-1, 2, 3, 4};
  memcpy(made.offset, offset, sizeof offset);
  memcpy(made.pixdim, pixdim, sizeof pixdim);
  const double place[4][3] = {{0, 2, 0}, {-3, 0, 0}, {0, 0, -4}, {-1, -2, -3}};
  check_place(&made, place);
  made.quatern[2] = 0;
  made.quatern[0] = 1.0000001; /* half a turn about x, with a norm slightly above 1 */
  made.pixdim[0] = 0;          /* means 1 */
  const double turned[4][3] = {{2, 0, 0}, {0, -3, 0}, {0, 0, -4}, {-1, -2, -3}};
  check_place(&made, turned);
}

static void else_the_distances(void) {
  Made made = plain;
  const double pixdim[4] = {1, 2, 3, 4};
  memcpy(made.pixdim, pixdim, sizeof pixdim);
  const double place[4][3] = {{-2, 0, 0}, {0, 3, 0}, {0, 0, 4}, {2, -4.5, -8}};
  check_place(&made, place);
}

static void has_fewer_axes(void) {
  Made made = plain;
  made.n_axes = 2;
  Read it;
  CHECK(read_bytes(make(&made), 60, &it));
  CHECK_EQ(it.nrrd->dim, 2);
  CHECK_EQ(it.nrrd->spaceDim, 2);
  CHECK_NEAR(it.nrrd->axis[0].spaceDirection[0], -1, 0);
  CHECK_NEAR(it.nrrd->spaceOrigin[1], -1.5, 0);
  read_free(&it);
  Made unread = made; /* of a missing axis */
  unread.sform[0] = unread.sform[5] = 1;
  unread.sform[2] = NAN;
  CHECK(read_bytes(make(&unread), 60, &it));
  CHECK_NEAR(it.nrrd->axis[1].spaceDirection[1], 1, 0);
  read_free(&it);
  made.sform[0] = made.sform[9] = made.sform[6] = 1; /* x and z */
  check_refusal(make(&made), "its 2 axes");
}

/* --- what no file should have ----------------------------------------------------------------- */

static void check_change(size_t at, uint64_t value, size_t size, const char *words) {
  Bytes *bytes = make(&plain);
  put_at(bytes, at, value, size);
  check_refusal(bytes, words);
}

static void refuses(void) {
  check_change(40, 0, 2, "0 axes");
  check_change(40, 8, 2, "8 axes");
  check_change(42, 0, 2, "axis 0");
  check_change(44, 0xffff, 2, "axis 1");
  check_change(70, 32, 2, "complex");
  check_change(70, 1, 2, "bits");
  check_change(70, 1536, 2, "128 bits");
  check_change(70, 77, 2, "datatype 77");
  check_change(108, 0, 4, "begin at byte 0");
  check_change(108, 0x7fc00000, 4, "begin at byte nan");
  check_change(345, 'i', 1, "pair");
  check_change(80, 0x7fc00000, 4, "places samples at"); /* a step that is NaN */
  Made made = plain;
  made.n_axes = 7;
  for (int k = 3; k < 7; k++) made.size[k] = 1;
  Bytes *bytes = make(&made);
  for (size_t k = 3; k < 7; k++) put_at(bytes, 42 + 2 * k, 30000, 2);
  check_refusal(bytes, "components");
  made = plain;
  made.datatype = 128;
  made.n_axes = 4;
  made.size[3] = 2;
  check_refusal(make(&made), "colours");
  made = plain;
  made.sform[0] = made.sform[5] = made.sform[10] = 1;
  made.sform[3] = INFINITY;
  check_refusal(make(&made), "at inf (expected finite");
}

static void check_part(const Bytes *whole, size_t n) {
  static Bytes part;
  Read it;
  part = *whole;
  part.n = n;
  CHECK(!read_bytes(&part, 60, &it));
  CHECK(!it.name || strstr(it.problem.text, "truncated") || strstr(it.problem.text, "damaged"));
  read_free(&it);
}

/* A file cut off anywhere is either unrecognised or reported as truncated; also one that lacks only
 * a part of the checksum. */
static void ends_early(void) {
  for (int form = 0; form < 4; form++) {
    Made made = plain;
    made.version = form % 2 + 1;
    made.is_gzip = form & 2;
    const Bytes whole = *make(&made);
    for (size_t n = 0; n < whole.n; n += 13) check_part(&whole, n);
    for (size_t n = 1; n <= 8; n++) check_part(&whole, whole.n - n);
  }
}

static void notices_damage(void) {
  Made made = plain;
  made.is_gzip = true;
  Bytes *bytes = make(&made);
  bytes->data[bytes->n - 20] ^= 1; /* a sample, so that the checksum is wrong */
  check_refusal(bytes, "damaged");
}

static void is_none(void) {
  static Bytes bytes;
  bytes = (Bytes){.n = 400};
  Read it;
  CHECK(!read_bytes(&bytes, 1, &it) && !it.name);
  read_free(&it);
  wrap_in_gzip(&bytes);
  check_refusal(&bytes, "its gzip data is not a NIfTI");
}

int main(void) {
  RUN(reads_every_type);
  RUN(scales);
  RUN(brings_vectors_together);
  RUN(reads_colours);
  RUN(takes_the_sform);
  RUN(else_the_qform);
  RUN(else_the_distances);
  RUN(has_fewer_axes);
  RUN(refuses);
  RUN(ends_early);
  RUN(notices_damage);
  RUN(is_none);
  return test_result();
}
