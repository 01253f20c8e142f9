/* make_input.h: input files of tests, made from short descriptions, so that none is kept in the
 * tree.
 *
 *   sphere N                 N^3 on [-1,1]^3, value 1 - |p|: 1 in the middle, 0 on the unit sphere
 *   ramp D N [C]             N samples on each of D axes, world and index space equal; x + 2y + 4z,
 *                            and 8 more in each of C components
 *   constant C D N           the same grid, C everywhere
 *   uniform D N V V ...      the same grid, every sample with the components V V ...
 *   quadric A B ...          33 samples on each axis, spacing 1/2 around 0; A x^2 + B y^2 + ...
 *   rotation N               N^2 samples, spacing 1 around 0, of the vectors (-y, x)
 *   samples V V ...          one axis, spacing 1 from 0
 *   colors R G B R G B ...   one axis over [0,1] of 3-vectors
 *   linear D C N             N samples on each of D sheared axes around 0, each with C components;
 *                            component c is the sum over r of (c D + r + 1) x_r: 1, 2, 3 ... are
 *                            the entries of its Jacobian
 *   noise D C N SEED         the same grid and components; random multiples of 1/8 in [-4,4)
 *   digits D C N SEED        the same with random whole numbers in [0,64)
 *   turned D C N SEED        the same image as noise, with its axes in another order in the file
 *   TYPE ...                 any of these after a sample type: float, double, byte, short, int8,
 *                            uint16, int32, uint32, int64, uint64
 *   text "..."               these characters; \n is a line end
 *   cut N sphere 8           any of the above without its last N bytes
 *
 * Read next: image_file.h.
 */
#pragma once

#include <stdbool.h>

/* Makes the file `path`; false: the words are not one of these descriptions. Ends the program if it
 * cannot write. */
bool make_input(const char *path, char *const *words, int n_words);
