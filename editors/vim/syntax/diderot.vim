" Vim syntax file
" Language: Diderot (parallel programs for image analysis and visualization)
" The lists of words come from the tables of the compiler; see editors/words.awk.
if exists('b:current_syntax')
  finish
endif
let s:keep_cpo = &cpo
set cpo&vim

" Letters, Greek ones included, digits, _ and '.
syn iskeyword @,48-57,_,39,192-255

" Operators first: what is defined later wins where both begin.
" words: vim-operators diderotOperator
syn match diderotOperator #\V\%(∇⊗\|∇•\|∇⋅\|∇×\|⊛\|•\|⋅\|⊗\|∘\|∇\|||\|&&\|<=\|==\|!=\|>=\|×\|+=\|-=\|*=\|/=\|%=\|..\|!\|<\|>\|+\|-\|*\|/\|%\|^\|@\|:\|=\||\)#
" words end

syn match diderotNumber /\<\d\+\>/
syn match diderotFloat /\<\d\+\.\d\+\%([eE][-+]\=\d\+\)\=\>/
syn match diderotValue /∞/
syn keyword diderotValue π

" words: vim-keywords diderotType type
syn keyword diderotType bool field image int kernel mat2 mat3 mat4 real string tensor
syn keyword diderotType vec2 vec3 vec4
" words end
" words: vim-keywords diderotStructure structure word
syn keyword diderotStructure const create_array create_collection else function global in
syn keyword diderotStructure initialize initially input output start strand update
" words end
" words: vim-keywords diderotStatement statement
syn keyword diderotStatement continue die foreach if new print return stabilize
" words end
" words: vim-keywords diderotValue value
syn keyword diderotValue false identity load load_image load_sequence nan true zeros inf
" words end
" words: vim-keywords diderotBuiltin builtin
syn keyword diderotBuiltin normalize trace transpose det inv evals evecs modulate lerp
syn keyword diderotBuiltin clerp clamp mirror wrap border sqrt exp sin cos tan asin acos
syn keyword diderotBuiltin atan atan2 ceil floor trunc round erf erfc fmod log log2 log10
syn keyword diderotBuiltin pow max min size inside compose concat maxF minF abs dist
syn keyword diderotBuiltin length all exists mean product sum variance sphere numStrands
syn keyword diderotBuiltin numActive numStable
" words end
" words: vim-keywords diderotKernel kernel
syn keyword diderotKernel tent c1tent c2tent ctmr c2ctmr bspln3 bspln5 c4hexic
" words end

syn match diderotVersion /\%^#version\>.*/
syn keyword diderotTodo TODO FIXME XXX NOTE contained
syn match diderotComment #//.*# contains=diderotTodo,@Spell
syn region diderotComment start=#/\*# end=#\*/# contains=diderotTodo,@Spell
syn match diderotEscape /\\\%([ntabfrv"\\]\|\d\{3}\)/ contained
syn region diderotString start=/"/ skip=/\\./ end=/"/ end=/$/ oneline contains=diderotEscape,@Spell

syn sync ccomment diderotComment

hi def link diderotType Type
hi def link diderotStructure Keyword
hi def link diderotStatement Statement
hi def link diderotValue Constant
hi def link diderotBuiltin Function
hi def link diderotKernel Special
hi def link diderotOperator Operator
hi def link diderotNumber Number
hi def link diderotFloat Float
hi def link diderotVersion PreProc
hi def link diderotTodo Todo
hi def link diderotComment Comment
hi def link diderotString String
hi def link diderotEscape SpecialChar

let b:current_syntax = 'diderot'
let &cpo = s:keep_cpo
unlet s:keep_cpo
