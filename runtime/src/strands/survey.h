/* survey.h: the strands of a rank as pieces that are near together, found in one pass.
 *
 * A share is cut where strands are far from the one before: where a row ends, or a layer.
 * Read next: halo.h.
 */
#pragma once

#include "places.h"

enum { DDR_PIECES = 16 }; /* of a share; more cost more bytes than they save */

typedef struct ddr_survey {
  ddr_strand_run own;
  ddr_region all, running;  /* around all own strands, and around those that run */
  ddr_region *chunks;       /* around those of each chunk that run; free it */
  int64_t ends[DDR_PIECES]; /* of pieces; the last ones may be empty */
} ddr_survey;

/* In one piece, or as many as there may be. */
ddr_survey ddr_survey_own(const ddr_world *world, bool has_pieces);

/* Around those of a piece that run. */
ddr_region ddr_survey_piece(const ddr_world *world, const ddr_survey *survey, int piece);
int64_t ddr_survey_begin(const ddr_survey *survey, int piece);
