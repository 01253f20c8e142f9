/* births: an upper bound of the number of strands that one strand makes in a superstep.
 *
 * If it is known, the runtime reserves memory for all of them before it launches a kernel.
 * Otherwise the memory may not suffice, and the runtime keeps a copy of the store in order to
 * repeat the launch.
 */
#include "backend-cuda/local.h"

enum { MOST_KNOWN = 64 };
#define UNKNOWN UINT32_MAX

static uint32_t sum(uint32_t a, uint32_t b) {
  return a > MOST_KNOWN || b > MOST_KNOWN || a + b > MOST_KNOWN ? UNKNOWN : a + b;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint32_t of_stmts(const TreeStmtVec *stmts);

static uint32_t of_stmt(const TreeStmt *stmt) {
  switch (stmt->kind) {
  case TT_EFFECT: return stmt->expr->kind == TX_OP && stmt->expr->op == OP_NEW_STRAND;
  case TT_IF: return larger(of_stmts(&stmt->body), of_stmts(&stmt->else_body));
  case TT_FOR:
  case TT_REDUCE: return of_stmts(&stmt->body) > 0 ? UNKNOWN : 0;
  case TT_DECLARE:
  case TT_ASSIGN:
  case TT_CALL:
  case TT_LEAVE: break;
  }
  return 0;
}

static uint32_t of_stmts(const TreeStmtVec *stmts) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < stmts->len; i++) n = sum(n, of_stmt(stmts->data[i]));
  return n;
}

uint32_t device_births_at_most(const Gen *gen) {
  const TreeFunc *start = gen_find(gen, FN_START), *update = gen_find(gen, FN_UPDATE);
  const uint32_t n = sum(start ? of_stmts(&start->body) : 0, of_stmts(&update->body));
  return n == UNKNOWN ? 0 : n;
}
