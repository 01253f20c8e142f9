/* program_gen.h: random well-typed programs over fields: expressions of every shape, dimension and
 * continuity, over images with their own orientation. Programs are trees, so that one that shows
 * a fault can be reduced to its cause. Read next: program_rules.def.
 */
#pragma once

#include "frontend/base/text.h"
#include "frontend/base/vec.h"
#include "tests/oracle/image_file.h"

enum { GEN_MAX_OUTPUTS = 3, GEN_MAX_AXES = 3, GEN_KIDS = 4, GEN_STRANDS = 3 };
enum { GEN_SMOOTH = 99 }; /* continuity of what no image is in */

typedef struct GenType {
  bool is_field; /* else a number, within the formula of a field function */
  uint32_t dim;  /* of the domain */
  uint32_t n_axes, axes[GEN_MAX_AXES];
  uint32_t continuity; /* of a number: that of the fields probed in it */
} GenType;

typedef struct GenDef GenDef;
typedef struct GenNode GenNode;
struct GenNode {
  GenType ty;       /* continuity: at least */
  const char *form; /* with A B C D for the kids */
  uint32_t n_kids;
  GenNode *kids[GEN_KIDS];
  uint32_t n_derivatives; /* 0 or 1 */
  const GenDef *def;      /* of a leaf that names a field */
};

struct GenDef { /* a global field */
  const char *name;
  GenType ty;      /* its continuity as written */
  GenNode *body;   /* NULL: a convolution */
  bool is_formula; /* field function of x */
  uint32_t image;
  const char *kernel, *border; /* border: form with A for the image */
};

typedef struct GenImage {
  GenType ty;
  Image image;
} GenImage;

typedef struct GenOutput {
  GenDef *def;
  uint32_t style; /* of the statements that compute it */
} GenOutput;

typedef struct GenProgram {
  Arena *arena;
  uint64_t random;
  uint32_t dim; /* of the position that strands probe at */
  bool is_far;  /* strands go beyond the images */
  VEC(GenImage) images;
  VEC(GenDef *) defs; /* each names only those before it */
  uint32_t n_outputs;
  GenOutput outputs[GEN_MAX_OUTPUTS];
} GenProgram;

/* The same for the same seed. depth: of the expressions, at least 1. */
GenProgram *gen_program(Arena *arena, uint64_t seed, uint32_t depth);
void gen_free_images(GenProgram *g);

/* Source text; what no output needs is left out. Input image number k is called imgk. */
const char *gen_text(const GenProgram *g);
bool gen_uses_image(const GenProgram *program, uint32_t image);

/* A leaf of this type, to put in the place of something larger. */
GenNode *gen_leaf(GenProgram *g, GenType ty);
/* Continuity as the checker finds it. */
uint32_t gen_continuity(const GenNode *node);
bool gen_same_shape(GenType a, GenType b);
