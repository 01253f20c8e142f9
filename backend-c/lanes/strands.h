/* Strands between steps: how they come into lanes and leave them, in which order, and where their
 * states lie meanwhile; and the block function, which runs the method over them.
 */
#pragma once

#include "backend-c/lanes/local.h"

/* exchange.c */
CExpr *lanes_component_in(Lanes *lanes, const char *owner, uint32_t i); /* of a struct */
CExpr *lanes_component_of(Lanes *lanes, const char *owner, uint32_t i); /* of what it points to */
/* The needs of a method (NULL: none), and of that in lanes, without slots, which the gang has. */
uint32_t lanes_needs_of(const Lanes *lanes, const TreeFunc *fn);
uint32_t lanes_needs(const Lanes *lanes);
const char *lanes_tag(Lanes *lanes);
void lanes_structs(Gen *gen); /* the struct of the state, and functions that move strands */
void lanes_struct(Lanes *lanes);
const char *lanes_rest_name(Lanes *lanes); /* of the function that saves states between steps */
void lanes_exchange(Lanes *lanes);         /* the function that stores strands and loads others */
const char *lanes_exchange_name(Lanes *lanes);
uint32_t lanes_exchange_needs(const Lanes *lanes);
CExpr *lanes_at_slot(Lanes *lanes, const char *array);
/* Between the lane of a loop and memory: all that the method changes; all that it may read. */
void lanes_store_strand(Lanes *lanes);
void lanes_load_strand(Lanes *lanes);
/* All lanes to the slots from `last` on; the lane of a loop to its slot. */
void lanes_store_row(Lanes *lanes);
void lanes_store_lane(Lanes *lanes);
/* rest->x = value for component i of the state, in the lanes of a mask. value NULL: self->x; mask
 * NULL: in all lanes. */
void lanes_keep(Lanes *lanes, uint32_t i, const TreeExpr *value, const char *mask);

/* words.c: emit code that moves components of all lanes together: those in `left`, where they are
 * removed. `first` is the slot of lane 0; NULL: the gang has the slots. */
void lanes_find_words(Lanes *lanes);
void lanes_find_shared_words(Lanes *lanes);
/* The number of the scalar of OP_STRAND_STATE among the words; that of all where it is no word. */
uint32_t lanes_word_of(const LaneWordVec *words, const Lanes *lanes, const TreeExpr *expr);
bool lanes_give_words(Lanes *lanes); /* Execution.give, if the values of members are words */
void lanes_load_words(Lanes *lanes, const char *first, bool *left);
void lanes_store_words(Lanes *lanes, const char *first, bool *left);

/* members.c */
void lanes_find_members(Gen *gen, Execution *how); /* fills in `give` */
bool lanes_are_in_row(const Lanes *lanes);         /* the members have consecutive slots */
void lanes_declare_whole(Lanes *lanes);            /* n_whole */

/* kinds.c */
#define NO_BRANCH UINT32_MAX
/* The number of the branch by whose test strands are ordered, in the body of the method. */
uint32_t lanes_find_kinds(const Lanes *lanes);
void lanes_kind_of_strand(Lanes *lanes); /* the function that makes the test */
void lanes_order_by_kind(Lanes *lanes);  /* in the block function, when the queue is open */
/* A long branch in the body whose test is made of the state; NO_BRANCH: there is none. */
uint32_t lanes_branch_of_state(const Lanes *lanes);
bool lanes_is_long(const Lanes *lanes, const TreeStmtVec *stmts);
/* The declaration of a constant before statement `end` of the body; NULL: there is none. */
const TreeStmt *lanes_declaration_of(const Lanes *lanes, const TreeVar *var, uint32_t end);
/* What a function with the test of such a branch needs; and, in it, declares what the test reads,
 * once, as the code at hand executes strands. */
typedef const char *TypeText(Lanes *lanes, const Type *ty);
uint32_t lanes_needs_of_test(const Lanes *lanes, uint32_t branch);
void lanes_declare_test(Lanes *lanes, uint32_t branch, TypeText *type);

/* company.c */
void lanes_find_company(Lanes *lanes);
void lanes_company_test(Lanes *lanes); /* the function that makes the test */
void lanes_open_company(Lanes *lanes); /* around a step */
void lanes_close_company(Lanes *lanes);

/* groups.c: whether states may lie in groups; if they do, what replaces lanes_structs and
 * lanes_update. */
bool lanes_fit_groups(const Lanes *lanes);
void lanes_group_structs(Gen *gen);
/* Stores a value of one strand, in a lane of its group. */
void lanes_put_in_group(Lanes *lanes, const Type *scalar, CExpr *in_lanes, CExpr *alone);
void lanes_update_groups(Gen *gen);

/* group_methods.c: start and stabilize methods of strands in groups: the functions that run them,
 * and, in `update`, their calls before and after a step. */
void lanes_group_methods(Lanes *lanes);
void lanes_start_group(Lanes *lanes);
void lanes_stabilize_group(Lanes *lanes);
bool lanes_bear_in_order(const Lanes *lanes); /* strands are born in the order of their creators */

/* creation.c: whether strands are created in lanes, and in a few words why not; then the struct of
 * the state, where the update method has none, the function for FN_CREATE, which returns true if
 * there is no other, and the block function. */
bool lanes_find_creation(Gen *gen, const char **obstacle);
bool lanes_have_gang(const Lanes *lanes); /* the method has a parameter with that */
void lanes_creation_struct(Gen *gen);
bool lanes_creation_method(Gen *gen, const TreeFunc *fn);
void lanes_create(Gen *gen);

/* block.c */
/* Calls of methods for one strand. */
CExpr *lanes_method_alone(Lanes *lanes, const TreeFunc *fn, GenContext place, CExpr *self);
void lanes_run_stabilize(Lanes *lanes, CExpr *status, GenContext place, CExpr *self);
CFunc lanes_update_head(Cx *cx, const char *function_name);
void lanes_sweep(Lanes *lanes); /* the pool of the block, if there is one */
void lanes_update(Gen *gen);    /* the block function */
