" Vim indent file
" Language: Diderot
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal autoindent indentexpr=DiderotIndent() indentkeys=0{,0},0),0],0=else,o,O,e
let b:undo_indent = 'setl ai< inde< indk<'

if exists('*DiderotIndent')
  finish
endif
let s:keep_cpo = &cpo
set cpo&vim

let s:skip = 'synIDattr(synID(line("."), col("."), 0), "name") =~# "Comment\\|String\\|Escape"'

" The line begins within a comment of several lines.
function! s:IsInComment(line) abort
  let is_comment = synIDattr(synID(a:line, 1, 0), 'name') =~# 'Comment\|Todo'
  return is_comment && getline(a:line) !~# '^\s*/[/*]'
endfunction

" A part of a line without strings, comments and blanks at its end.
function! s:Code(text) abort
  let text = substitute(a:text, '"\%([^"\\]\|\\.\)*"', '""', 'g')
  let text = substitute(text, '/\*.\{-}\*/', '', 'g')
  return substitute(text, '\s*\%(//.*\|/\*.*\)\=$', '', '')
endfunction

" The code that ends before a place: its line, and the text of the line up to there.
function! s:CodeBefore(line, column) abort
  let [line, text] = [a:line, s:Code(strpart(getline(a:line), 0, a:column - 1))]
  while text =~# '^\s*$' && line > 1
    let line = prevnonblank(line - 1)
    let text = line == 0 || s:IsInComment(line) ? '' : s:Code(getline(line))
    let line = max([line, 1])
  endwhile
  return [line, text]
endfunction

" The column of the statement that has a bracket.
function! s:BlockIndent(open) abort
  let [line, text] = s:CodeBefore(a:open[0], a:open[1])
  if text !~# ')$'
    return indent(a:open[0])
  endif
  let place = getpos('.')
  call cursor(line, len(text))
  let begin = searchpairpos('(', '', ')', 'bnW', s:skip)
  call setpos('.', place)
  return indent(begin[0] > 0 ? begin[0] : line)
endfunction

" A brace begins a block, not a sequence.
function! s:IsBlock(open) abort
  if getline(a:open[0])[a:open[1] - 1] !=# '{'
    return 0
  endif
  let text = s:CodeBefore(a:open[0], a:open[1])[1]
  return text =~# '\%(\k\|[);]\|^\s*\)$' && text !~# '\<in$'
endfunction

" The statement of an if, else or foreach without braces; text ends before it at the line.
function! s:IsAfterCondition(line, text) abort
  if a:text =~# '\<else$'
    return 1
  elseif a:text !~# ')$'
    return 0
  endif
  call cursor(a:line, len(a:text))
  let begin = searchpairpos('(', '', ')', 'bnW', s:skip)
  call cursor(v:lnum, 1)
  return begin[0] > 0 && strpart(getline(begin[0]), 0, begin[1] - 1) =~# '\<\%(if\|foreach\)\s*$'
endfunction

" A line in a block at the column base.
function! s:StatementIndent(base) abort
  let now = getline(v:lnum)
  if now =~# '^\s*{'
    return a:base
  endif
  let [line, text] = s:CodeBefore(v:lnum, 1)
  if s:IsAfterCondition(line, text)
    return a:base + shiftwidth()
  elseif text =~# '\%([;{},]\|^\s*\)$' || text =~# '^#version' || now =~# '^\s*|\s'
    return a:base
  endif
  " What goes on further in stands where its writer wants it.
  return max([indent(v:lnum), a:base + shiftwidth()])
endfunction

function! DiderotIndent() abort
  let now = getline(v:lnum)
  if s:IsInComment(v:lnum)
    return -1
  elseif now =~# '^\s*#version'
    return 0
  endif
  call cursor(v:lnum, 1)
  let open = searchpairpos('[[({]', '', '[])}]', 'bnW', s:skip)
  if open[0] == 0
    return s:StatementIndent(0)
  elseif now =~# '^\s*[])}]'
    return s:BlockIndent(open)
  elseif s:IsBlock(open)
    return s:StatementIndent(s:BlockIndent(open) + shiftwidth())
  endif
  let behind = match(getline(open[0]), '\S', open[1])
  if behind < 0
    return s:BlockIndent(open) + shiftwidth()
  endif
  return virtcol([open[0], behind + 1]) - 1
endfunction

let &cpo = s:keep_cpo
unlet s:keep_cpo
