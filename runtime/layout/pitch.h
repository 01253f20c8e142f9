/* pitch.h: pitches: how many bytes a padded sub-array takes (runtime/array/array.h).
 *
 *   pitch[q-1] = up(len[q-1] * element_size, align[q-1])
 *   pitch[k]   = up(len[k] * pitch[k+1],     align[k])        up(x, a): the next multiple of a
 *
 * pitch[0] is the whole array; a step along axis k-1 is pitch[k] bytes.  Alignments are any
 * integers >= 1.  Of a 4:2:0 frame:
 *
 *   row = up(2 ceil(w/2) e, ..), plane = up(h row, ..), total = up(plane + ceil(h/2) row, ..)
 */
#pragma once

#include "runtime/layout/layout.h"
