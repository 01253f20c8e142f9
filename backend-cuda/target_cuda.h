/* target_cuda: strands on a GPU, one per thread, or on all cores where there is no GPU
 * (--target=cuda and hip).
 */
#pragma once

#include "ir/target.h"

extern const Target target_cuda, target_hip, target_cuda_ranks, target_hip_ranks;
