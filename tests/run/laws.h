/* laws.h: laws that outputs obey whose values are not known in advance.
 *
 * `holds NAME = LAW V V ... within T` reads NAME.nrrd and computes by how much the law is violated.
 * If the law is about points, the fastest axis holds their components.
 *
 *   length R               every point has length R
 *   even                   points of the plane are evenly spaced in angle around 0; relative error
 *   nearest LO HI          the distance of each point to the nearest other one is LO to HI
 *   count LO HI            there are LO to HI values in all
 *   multiple S A B ...     A x + B y + ... of every point is a multiple of S
 *   total V OTHER ...      the sum of all values, and those of the outputs OTHER, is V
 *   factor OTHER           smallest prime factors of the values of OTHER, by trial division; 1 of 1
 *   life N X Y X Y ...     0 and 1 on a plane, the last row y = 0: Conway's game of life, N
 *                          generations after the cells X Y and no others were alive
 */
#pragma once

#include "tests/run/case.h"
