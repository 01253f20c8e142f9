/* done.h: undefines all macros of one definition of DDR_X (base.h). */
#undef DDR_X
#undef DDR_XFN
#undef DDR_XREAL
#undef DDR_XBITS
#undef DDR_XMASK
#undef DDR_XWIDE
#undef DDR_XWIDE_BITS
#undef DDR_XWIDE_MASK
#undef DDR_XEITHER
#undef DDR_XBY_WIDE
