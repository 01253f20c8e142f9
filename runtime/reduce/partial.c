/* partial.c: combines results of blocks on the levels of the tree. */
#include "runtime/reduce/partial.h"

void ddr_partial_push(ddr_partial_tree *tree, ddr_combine_function *combine, ddr_partial block){
    DDR_TREE_PUSH(tree, block, combine(tree->at[level], block))}

ddr_partial ddr_partial_root(const ddr_partial_tree *tree, ddr_combine_function *combine) {
  ddr_partial root;
  DDR_TREE_ROOT(tree, root, combine(tree->at[level], root))
  return root;
}
