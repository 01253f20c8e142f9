/* all.h: all functions of this folder, for one definition of DDR_X (base.h). Each file needs those
 * before it. */
#if defined(DDR_X)
/* clang-format off */
#include "ddr/functions/base.h"
#include "ddr/functions/exponential.h"
#include "ddr/functions/power.h"
#include "ddr/functions/trigonometry.h"
#include "ddr/functions/arcs.h"
#include "ddr/functions/done.h"
/* clang-format on */
#endif
