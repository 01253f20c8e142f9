/* done.h: after the functions of one meaning of DDR_X (base.h): all that it was made of is
 * undefined. */
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
