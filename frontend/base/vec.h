/* Vec: growable arrays in an arena.
 *
 *   typedef VEC(Stmt *) StmtVec;
 *   StmtVec body = {0};
 *   vec_push(arena, &body, stmt);
 *   for (uint32_t i = 0; i < body.len; i++) use(body.data[i]);
 */
#pragma once

#include "frontend/base/arena.h"

#define VEC(T)                                                                                     \
  struct {                                                                                         \
    T *data;                                                                                       \
    uint32_t len, cap;                                                                             \
  }

#define vec_push(arena, v, x)                                                                      \
  ((void)((v)->len < (v)->cap ||                                                                   \
          ((v)->data = vec_grow((arena), (v)->data, &(v)->cap, (v)->len, sizeof *(v)->data))),     \
   (void)((v)->data[(v)->len++] = (x)))
#define vec_pop(v) ((v)->data[--(v)->len])
#define vec_last(v) ((v)->data[(v)->len - 1])

/* Moves len elements to a larger block and updates *cap. Used by vec_push only. */
void *vec_grow(Arena *a, const void *data, uint32_t *cap, uint32_t len, size_t elem_size);
