/* cpu.h: which features of ddr/cpu.def this processor has, for variant.c. */
#pragma once

#include "ddr/program.h"

typedef struct ddr_cpu {
  bool has[DDR_CPU_COUNT + 1];
} ddr_cpu;

ddr_cpu ddr_cpu_here(void);
const char *ddr_cpu_feature_name(int feature);
