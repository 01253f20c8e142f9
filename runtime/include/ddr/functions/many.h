/* many.h: defines DDR_X (base.h) for a number in every lane, until done.h. */
#define DDR_X(name) ddr_v##name
#define DDR_XFN DDR_VFN
#define DDR_XREAL ddr_vreal
#define DDR_XBITS ddr_vbits
#define DDR_XMASK ddr_vmask
#define DDR_XWIDE ddr_vwide
#define DDR_XWIDE_BITS ddr_vwide_bits
#define DDR_XWIDE_MASK ddr_vwide_mask
#define DDR_XEITHER(mask, a, b) ddr_vselect_two(mask, a, b)
#define DDR_XBY_WIDE(name, name_wide)                                                              \
  DDR_VFN ddr_vreal ddr_v##name(ddr_vreal a, ddr_vreal b) {                                        \
    return ddr_vjoined(ddr_v##name_wide(ddr_vlower(a), ddr_vlower(b)),                             \
                       ddr_v##name_wide(ddr_vupper(a), ddr_vupper(b)));                            \
  }
