/* Ops on reals, by the same functions that programs call (ddr/scalar.h), so that folded constants
 * have the bits that a run would compute. op_eval_float.c and op_eval_double.c include this file,
 * for floats and for doubles; they define EVAL_REAL, the name of the function.
 */
#if defined(EVAL_REAL)
#include "ddr/scalar.h"
#include "ir/op/local.h"

double EVAL_REAL(OpId op, const double *args) {
  const ddr_real a = (ddr_real)args[0], b = (ddr_real)args[1];
  switch (op) {
  case OP_RADD: return (double)(a + b);
  case OP_RSUB: return (double)(a - b);
  case OP_RMUL: return (double)(a * b);
  case OP_RFMA: return (double)ddr_fma(a, b, (ddr_real)args[2]);
  case OP_RDIV: return (double)(a / b);
  case OP_RNEG: return (double)-a;
  case OP_RABS: return (double)ddr_fabs(a);
  case OP_RSGN: return (double)ddr_sign(a);
  case OP_RMIN: return (double)ddr_min(a, b);
  case OP_RMAX: return (double)ddr_max(a, b);
  case OP_RCLAMP: return (double)ddr_clamp(a, b, (ddr_real)args[2]);
  case OP_RSQRT: return (double)ddr_sqrt(a);
  case OP_REXP: return (double)ddr_exp(a);
  case OP_RSIN: return (double)ddr_sin(a);
  case OP_RCOS: return (double)ddr_cos(a);
  case OP_RTAN: return (double)ddr_tan(a);
  case OP_RASIN: return (double)ddr_asin(a);
  case OP_RACOS: return (double)ddr_acos(a);
  case OP_RATAN: return (double)ddr_atan(a);
  case OP_RCEIL: return (double)ddr_ceil(a);
  case OP_RFLOOR: return (double)ddr_floor(a);
  case OP_RTRUNC: return (double)ddr_trunc(a);
  case OP_RROUND: return (double)ddr_round(a);
  case OP_RERF: return (double)ddr_erf(a);
  case OP_RERFC: return (double)ddr_erfc(a);
  case OP_RLOG: return (double)ddr_log(a);
  case OP_RLOG2: return (double)ddr_log2(a);
  case OP_RLOG10: return (double)ddr_log10(a);
  case OP_RPOW: return (double)ddr_pow(a, b);
  case OP_RATAN2: return (double)ddr_atan2(a, b);
  case OP_RFMOD: return (double)ddr_fmod(a, b);
  default: return (double)NAN; /* not an op on reals alone */
  }
}
#endif
