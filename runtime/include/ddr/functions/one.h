/* one.h: defines DDR_X (base.h) for one number, until done.h. */
#define DDR_X(name) ddr_##name
#define DDR_XFN DDR_FN
#define DDR_XREAL ddr_real
#define DDR_XBITS ddr_bits
#define DDR_XMASK int
#define DDR_XWIDE double
#define DDR_XWIDE_BITS uint64_t
#define DDR_XWIDE_MASK int
/* A branch, so that only one of the two is computed. Not on devices, where the threads of a warp
 * would take both ways anyway. */
#if defined(DDR_GPU)
#define DDR_XEITHER(mask, a, b) ddr_select_two(mask, a, b)
#else
#define DDR_XEITHER(mask, a, b) ((mask) ? (a) : (b))
#endif
#define DDR_XBY_WIDE(name, name_wide)                                                              \
  DDR_FN float ddr_##name(float a, float b) { return (float)ddr_##name_wide((double)a, (double)b); }
