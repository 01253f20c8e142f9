/* window.h: the macros for windows in generated code.  They are the same for the host
 * (host/window.h) and for devices (device/window.h), which define what a window is and how its
 * samples are summed:
 *
 *   DDR_WINDOW(type, rule, image, first, component, outside, half_support)
 *   DDR_WINDOW_SUM(width, window, weight, dim)
 */
#pragma once

/* `type` is a struct of one array of reals, `first` one of an array of ints. */
#define DDR_WINDOW_CLAMP(type, image, first, component, half_support)                              \
  DDR_WINDOW(type, DDR_BORDER_CLAMP, image, first, component, 0, half_support)
#define DDR_WINDOW_MIRROR(type, image, first, component, half_support)                             \
  DDR_WINDOW(type, DDR_BORDER_MIRROR, image, first, component, 0, half_support)
#define DDR_WINDOW_WRAP(type, image, first, component, half_support)                               \
  DDR_WINDOW(type, DDR_BORDER_WRAP, image, first, component, 0, half_support)
#define DDR_WINDOW_CONST(type, image, first, component, outside, half_support)                     \
  DDR_WINDOW(type, DDR_BORDER_CONST, image, first, component, outside, half_support)

/* `window` is what DDR_WINDOW makes; then one row of weights per axis. */
#define DDR_WINDOW_OF(width, window, ...)                                                          \
  __extension__({                                                                                  \
    const ddr_row##width ddr_weight[DDR_MAX_DIM] = {__VA_ARGS__};                                  \
    const size_t ddr_dim = sizeof((ddr_row##width[]){__VA_ARGS__}) / sizeof *ddr_weight;           \
    DDR_WINDOW_SUM(width, window, ddr_weight, (int)ddr_dim);                                       \
  })
#define DDR_WINDOW2_DOT(window, ...) DDR_WINDOW_OF(2, window, __VA_ARGS__)
#define DDR_WINDOW4_DOT(window, ...) DDR_WINDOW_OF(4, window, __VA_ARGS__)
#define DDR_WINDOW6_DOT(window, ...) DDR_WINDOW_OF(6, window, __VA_ARGS__)
