" Vim compiler file
" Compiler: diderotc, for mistakes alone
if exists('current_compiler')
  finish
endif
let current_compiler = 'diderotc'
let s:keep_cpo = &cpo
set cpo&vim

" Columns are those of the terminal as long as no tab stands before them.
CompilerSet makeprg=diderotc\ --check\ --diagnostics=plain\ %:S
CompilerSet errorformat=
      \[%f:%l.%v-%*[0-9.]]\ %trror:\ %m,
      \[%f:%l.%v-%*[0-9.]]\ %tarning:\ %m,
      \[%f]\ %trror:\ %m,
      \[%f]\ %tarning:\ %m,
      \%trror:\ %m,
      \%-G%.%#

let &cpo = s:keep_cpo
unlet s:keep_cpo
