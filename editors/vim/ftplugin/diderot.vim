" Vim filetype plugin
" Language: Diderot
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
let s:keep_cpo = &cpo
set cpo&vim

setlocal comments=s1:/*,mb:*,ex:*/,:// commentstring=//\ %s
setlocal formatoptions-=t formatoptions+=croql
setlocal suffixesadd=.diderot
" ' is of names, \ of the abbreviations below.
setlocal iskeyword+=39,92
let b:undo_ftplugin = 'setl com< cms< fo< sua< isk< et< sw< sts<'

if get(g:, 'diderot_recommended_style', 1)
  setlocal expandtab shiftwidth=3 softtabstop=3
endif

" :make reports mistakes.
if !exists('b:current_compiler')
  compiler diderotc
  let b:undo_ftplugin .= ' mp< efm<'
endif

" Ctrl-K and two characters. Vim knows most of these.
" words: vim-digraphs
digraph @* 8859
digraph oo 8226
digraph .P 8901
digraph *X 215
digraph @x 8855
digraph Ob 8728
digraph NB 8711
digraph 00 8734
digraph p* 960
digraph a* 945
digraph b* 946
digraph g* 947
digraph z* 950
digraph y* 951
digraph h* 952
digraph l* 955
digraph m* 956
digraph c* 958
digraph r* 961
digraph s* 963
digraph t* 964
digraph f* 966
digraph q* 968
digraph w* 969
" words end

" \nabla and a space, bracket, or Ctrl-] become ∇.
if get(g:, 'diderot_abbreviations', 1)
" words: vim-abbreviations
iabbrev <buffer> \circledast ⊛
iabbrev <buffer> \bullet •
iabbrev <buffer> \cdot ⋅
iabbrev <buffer> \times ×
iabbrev <buffer> \otimes ⊗
iabbrev <buffer> \circ ∘
iabbrev <buffer> \nabla ∇
iabbrev <buffer> \infty ∞
iabbrev <buffer> \pi π
iabbrev <buffer> \alpha α
iabbrev <buffer> \beta β
iabbrev <buffer> \gamma γ
iabbrev <buffer> \zeta ζ
iabbrev <buffer> \eta η
iabbrev <buffer> \theta θ
iabbrev <buffer> \lambda λ
iabbrev <buffer> \mu μ
iabbrev <buffer> \xi ξ
iabbrev <buffer> \rho ρ
iabbrev <buffer> \sigma σ
iabbrev <buffer> \tau τ
iabbrev <buffer> \phi φ
iabbrev <buffer> \psi ψ
iabbrev <buffer> \omega ω
" words end
  let b:undo_ftplugin .= ' | iabclear <buffer>'
endif

" The language server, where it is wanted.
if get(g:, 'diderot_lsp', 0) && !has('nvim') && v:version >= 900 && has('job') && bufname('%') !=# ''
  call diderot#Open()
  let b:undo_ftplugin .= ' | setl ofu< tfu< kp< | execute "autocmd! diderot_lsp * <buffer>"'
endif

let &cpo = s:keep_cpo
unlet s:keep_cpo
