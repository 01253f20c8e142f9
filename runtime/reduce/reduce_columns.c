/* reduce_columns.c: blocks of an array whose adjacent elements belong to different columns.
 *
 *   column 0    rows 0, 1, ..., n-1     positions 0 .. n-1       adjacent in memory: row r of
 *   column 1    rows 0, 1, ..., n-1     positions n .. 2n-1      columns 0, 1, 2, ...
 *
 * Rows of some columns are added as they come, each column to 32 sums of its own: the lanes of the
 * block (tree.h) that its position is in.  Where a block of a column ends, its lanes are folded,
 * and begin again; that is another row of each column.  A block that ends in the next column is
 * finished there: row n + r of a column is row r of the next.
 */
#include <string.h>

#include "runtime/element/parallel_for.h"
#include "runtime/reduce/job.h"

enum { BLOCK = DDR_TREE_BLOCK, LANES = DDR_TREE_LANES, LINE = 64 /* bytes */, ROWS_AHEAD = 24 };

/* Of a column: the blocks that begin in it. */
typedef struct {
  int64_t number, n; /* the first one; how many */
  int64_t row;       /* where that one begins */
  int lane;          /* of row 0 */
} Blocks;

/* A row: row number % n_rows of the column so many after; its distance from row 0; and how many
 * rows follow at the same distance from each other, itself included. */
typedef struct {
  int64_t number, column, offset, n_even;
} Row;

/* Some columns. */
typedef struct {
  const ddr_columns *of;
  int64_t first;
  int n;
  Blocks blocks[DDR_COLUMNS];
  int order[DDR_COLUMNS]; /* columns, those first whose blocks begin earlier */
  Row row, ahead;         /* the next, and the next to be prefetched */
  double a[DDR_COLUMNS];
  double lanes[LANES * DDR_COLUMNS + DDR_SLACK];
} Panel;

/* --- columns ---------------------------------------------------------------------------------- */

static int64_t modulo(int64_t a, int64_t n) { return (a % n + n) % n; }

static Blocks blocks_of(const ddr_columns *columns, int64_t column) {
  const int64_t begin = column * columns->n_rows - columns->n_before; /* from that of block 0 */
  Blocks blocks = {.row = modulo(-begin, BLOCK), .lane = (int)modulo(begin, LANES)};
  blocks.number = (begin + blocks.row) / BLOCK;
  if (blocks.row < columns->n_rows) blocks.n = (columns->n_rows - 1 - blocks.row) / BLOCK + 1;
  const int64_t n_left = columns->n_blocks - blocks.number;
  if (blocks.n > n_left) blocks.n = n_left > 0 ? n_left : 0;
  return blocks;
}

static void set_columns(Panel *panel) {
  for (int k = 0; k < panel->n; k++) {
    panel->blocks[k] = blocks_of(panel->of, panel->first + k);
    int at = k;
    for (; at > 0 && panel->blocks[panel->order[at - 1]].row > panel->blocks[k].row; at--)
      panel->order[at] = panel->order[at - 1];
    panel->order[at] = k;
  }
  for (int k = 0; k < DDR_COLUMNS; k++) panel->a[k] = panel->of->a;
}

/* --- rows ------------------------------------------------------------------------------------- */

static Row row_at(const ddr_columns *columns, int64_t number) {
  const ddr_layout *rows = &columns->rows;
  const int64_t column = number / columns->n_rows, row = number % columns->n_rows;
  const int64_t len = rows->len[rows->rank - 1], offset = ddr_layout_at_position(rows, row);
  return (Row){number, column, offset + column * columns->stride, len - row % len};
}

static void go_on(const ddr_columns *columns, Row *row, int64_t n) {
  const ddr_layout *rows = &columns->rows;
  row->number += n;
  row->n_even -= n;
  row->offset += n * rows->stride[rows->rank - 1];
  if (row->n_even == 0) *row = row_at(columns, row->number);
}

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

/* Adds rows before the given one.  What begins in the last columns does not go on in others. */
static void add_rows(Panel *panel, int64_t end) {
  const ddr_columns *columns = panel->of;
  const int64_t size = (int64_t)ddr_element_size(columns->type);
  while (panel->row.number < end) {
    const Row *row = &panel->row;
    const int64_t n_left = columns->n_columns - panel->first - row->column;
    const int n = (int)least_of(panel->n, n_left);
    const int64_t reversed = columns->stride < 0 ? 1 - n : 0; /* the last one comes first */
    const int64_t first = columns->stride * panel->first + row->offset + reversed;
    ddr_lines lines = {.x = (const char *)columns->data + first * size,
                       .x_step = columns->rows.stride[columns->rows.rank - 1],
                       .a = panel->a,
                       .n = least_of(end - row->number, least_of(row->n_even, panel->ahead.n_even)),
                       .n_lines = n,
                       .next = panel->ahead.offset - row->offset};
    lines.y = lines.x;
    lines.y_step = lines.x_step;
    columns->add(&lines, (int)(row->number % LANES),
                 panel->lanes + (columns->stride < 0 ? panel->n - n : 0));
    go_on(columns, &panel->ahead, lines.n);
    go_on(columns, &panel->row, lines.n);
  }
}

/* --- panels ----------------------------------------------------------------------------------- */

static double *lanes_of(Panel *panel, int column) {
  return panel->lanes + (panel->of->stride < 0 ? panel->n - 1 - column : column);
}

/* Of a lane of a column, counted around the end. */
static ptrdiff_t place_of(int lane) { return (ptrdiff_t)(lane % LANES) * DDR_COLUMNS; }

static double fold(Panel *panel, int column) {
  enum { HALF = LANES / 2 };
  const double *its = lanes_of(panel, column);
  const int first = LANES - panel->blocks[column].lane; /* where lane 0 is */
  double sums[HALF];
  for (int k = 0; k < HALF; k++)
    sums[k] = its[place_of(first + k)] + its[place_of(first + HALF + k)];
  for (int half = HALF / 2; half > 0; half /= 2)
    for (int k = 0; k < half; k++) sums[k] += sums[k + half];
  return sums[0];
}

/* Before the first block of a column, its lanes have what does not count. */
static void begin_block(Panel *panel, int column, int64_t number) {
  const Blocks *blocks = &panel->blocks[column];
  double *its = lanes_of(panel, column);
  if (number > blocks->n || blocks->n == 0) return;
  add_rows(panel, blocks->row + number * BLOCK);
  if (number > 0) panel->of->blocks[blocks->number + number - 1] = fold(panel, column);
  for (int k = 0; k < LANES; k++) its[place_of(k)] = 0;
}

/* The first panel ends where a cache line does. */
static int64_t n_before_line(const ddr_columns *columns) {
  const uintptr_t first = (uintptr_t)columns->data % LINE;
  return columns->stride > 0 ? (int64_t)(first / ddr_element_size(columns->type)) : 0;
}

static void begin_panel(Panel *panel, const ddr_columns *columns, int64_t number) {
  const int64_t begin = number * DDR_COLUMNS - n_before_line(columns);
  panel->of = columns;
  panel->first = begin < 0 ? 0 : begin;
  panel->n = (int)(least_of(begin + DDR_COLUMNS, columns->n_columns) - panel->first);
  set_columns(panel);
  memset(panel->lanes, 0, sizeof panel->lanes);
  panel->row = row_at(columns, panel->blocks[panel->order[0]].row);
  panel->ahead = row_at(columns, panel->row.number + ROWS_AHEAD);
}

static void reduce_panel(void *data, int64_t item) {
  Panel panel;
  int64_t n_blocks = 0;
  begin_panel(&panel, data, item);
  for (int k = 0; k < panel.n; k++)
    if (panel.blocks[k].n > n_blocks) n_blocks = panel.blocks[k].n;
  for (int64_t number = 0; number <= n_blocks; number++)
    for (int k = 0; k < panel.n; k++) begin_block(&panel, panel.order[k], number);
}

void ddr_reduce_columns(ddr_columns *columns, int n_threads) {
  const int64_t n = columns->n_columns + n_before_line(columns);
  ddr_parallel_for(n_threads, (n - 1) / DDR_COLUMNS + 1, reduce_panel, columns);
}
