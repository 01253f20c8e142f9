" run.editors.vim: vim -es -N -u NONE -S editor_test.vim   with $EDITORS, $SAMPLE and $DIDEROTC set
" Writes what fails to $REPORT, or "0 failures".
set nocompatible encoding=utf-8 shortmess+=I
set rtp^=$EDITORS/vim
filetype plugin indent on
syntax on
let s:failures = []

function s:Check(held, what)
  if !a:held
    call add(s:failures, a:what)
  endif
endfunction

let s:groups = {
      \ 'version': 'PreProc', 'comment': 'Comment', 'string': 'String', 'escape': 'SpecialChar',
      \ 'structure': 'Keyword', 'statement': 'Statement', 'type': 'Type', 'value': 'Constant',
      \ 'builtin': 'Function', 'kernel': 'Special', 'operator': 'Operator', 'number': 'Number', 'name': ''}

function s:Group(line, column)
  let id = synID(a:line, a:column, 1)
  return [synIDattr(id, 'name'), synIDattr(synIDtrans(id), 'name')]
endfunction

" Words have the class that is said, from their first byte to their last.
function s:TestClasses()
  for row in readfile(fnamemodify($SAMPLE, ':r') . '.classes')
    let [line, text, class] = matchlist(row, '^\(\d\+\) \(.*\) \(\a\+\)$')[1:3]
    let whole = text =~# '^\k\+$' && text[0] !=# '\' ? ['\<', '\>'] : ['', '']
    let start = match(getline(line), '\V' . whole[0] . escape(text, '\') . whole[1]) + 1
    call s:Check(start > 0, line . ': there is no ' . text)
    for column in [start, start + len(text) - 1]
      let found = s:Group(line, column)[0]
      call s:Check(class ==# 'name' ? found ==# '' : found ==# s:GroupOf(class, text), printf('%d: %s is %s, not %s', line, text, found, class))
    endfor
  endfor
endfunction

function s:GroupOf(class, text)
  if a:class ==# 'number'
    return a:text =~# '\.' ? 'diderotFloat' : 'diderotNumber'
  elseif a:class ==# 'word'
    return 'diderotStructure'
  endif
  return 'diderot' . toupper(a:class[0]) . a:class[1:]
endfunction

" Every group has a colour.
function s:TestLinks()
  for name in values(map(copy(s:groups), 'v:key')) + ['float', 'todo']
    let group = 'diderot' . toupper(name[0]) . name[1:]
    call s:Check(name ==# 'name' || synIDtrans(hlID(group)) != hlID(group), group . ' has no colour')
  endfor
endfunction

" Indentation is kept; lost, it comes back but for continuations that had more of it.
function s:TestIndent()
  let wanted = getline(1, '$')
  silent normal! gg=G
  call s:Check(getline(1, '$') ==# wanted, 'indentation changes')
  silent 4,$substitute/^\s\+//e
  silent normal! gg=G
  let found = getline(1, '$')
  for i in range(len(wanted))
    let want = substitute(wanted[i], '^ \{9}else zeros', '         else zeros', '')
    call s:Check(found[i] ==# want, (i + 1) . ': indented as "' . found[i] . '"')
  endfor
  undo
  undo
  edit!
endfunction

" Typing: braces, digraphs, abbreviations.
function s:TestTyping()
  new typed.diderot
  execute "normal! istrand s (int i) {\<CR>output vec3 x = [1,\<CR>2];\<CR>update {\<CR>die;\<CR>}\<CR>}"
  call s:Check(getline(1, '$') ==# ['strand s (int i) {', '   output vec3 x = [1,',
        \ '                    2];', '   update {', '      die;', '   }', '}'], 'typed: ' . string(getline(1, '$')))
  %delete
  execute "normal a\<C-K>NB\<C-K>@x\<C-K>@*\<C-K>oo \\nabla\<C-]>F(x) \\otimes \\pi;"
  call s:Check(getline(1) ==# '∇⊗⊛• ∇F(x) ⊗ π;', 'typed: ' . getline(1))
  bwipeout!
endfunction

" :make puts the messages of the compiler into the list of mistakes.
function s:TestMake()
  call mkdir($FOLDER . '/a folder', 'p')
  execute 'cd' fnameescape($FOLDER . '/a folder')
  call writefile(['#version 2.0', '/* ∇∇ */ input real n = y;', 'strand s (int i) {',
        \ '   output real z = 1.0; update { stabilize; } }', 'create_array { s(i) | i in 0..9 }'], 'a program.diderot')
  edit a\ program.diderot
  let $PATH = fnamemodify($DIDEROTC, ':h') . ':' . $PATH
  set shellpipe=>%s\ 2>&1
  silent make!
  let found = getqflist()
  call s:Check(len(found) == 2, 'messages: ' . string(found))
  let mistake = get(filter(copy(found), 'v:val.type ==# "E"'), 0, {})
  call s:Check(get(mistake, 'lnum') == 2 && get(mistake, 'bufnr') == bufnr('%') && mistake.text =~# "^undeclared variable 'y'", string(mistake))
  call s:Check(get(get(found, 1, {}), 'valid') == 1 && found[1].type ==# 'W', string(found))
  cfirst 1
  call s:Check(getline('.')[col('.') - 1] ==# 'y', 'the cursor is not at the mistake: column ' . col('.'))
  call writefile(['#version 2.0'], 'a program.diderot')
  silent make!
  call s:Check(len(filter(getqflist(), 'v:val.valid')) == 1, 'a message of the end: ' . string(getqflist()))
endfunction

" Waits for what the server says by itself.
function s:WaitFor(what)
  let end = reltimefloat(reltime()) + 20
  while !eval(a:what) && reltimefloat(reltime()) < end
    sleep 20m
  endwhile
  call s:Check(eval(a:what), 'waited for ' . a:what)
endfunction

" The language server: mistakes, mending, hover, definition, completion, names, format.
function s:TestServer()
  if v:version < 900 || !has('job')
    return
  endif
  let g:diderot_lsp = 1
  let g:diderot_compiler = $DIDEROTC
  let program = ['#version 2.0', '/* ∇∇ */ input real size ("of a step") = 0.5;', 'strand s (int i) {',
        \ '   output real y = 1.0;', '   real λ = size*i;', '   update {', '      λ = max(λ, sizee);', '      stabilize;', '   }',
        \ '}', 'create_array { s(i) | i in 0..3 }']
  call writefile(program, 'sérvéd.diderot')
  edit sérvéd.diderot
  call s:WaitFor('len(getloclist(0)) == 1')
  let mistake = get(getloclist(0), 0, {})
  call s:Check(mistake.type ==# 'E' && mistake.text =~# "'sizee'" && strpart(getline(mistake.lnum), mistake.col - 1, 5) ==# 'sizee', string(mistake))
  call s:Check(map(prop_list(7), 'v:val.type') ==# ['DiderotError'], 'marks: ' . string(prop_list(7)))
  call cursor(7, 17)
  call diderot#Fix()
  call s:Check(getline(7) ==# '      λ = max(λ, size);', 'mended: ' . getline(7))
  call s:WaitFor('empty(getloclist(0))')
  call cursor(5, stridx(getline(5), 'size*i') + 1)
  let lines = diderot#Hover()
  call s:Check(index(lines, 'of a step') >= 0, 'hover: ' . string(lines))
  call popup_clear(1)
  execute "normal! \<C-]>"
  call s:Check(line('.') == 2 && strpart(getline(2), col('.') - 1, 4) ==# 'size', 'defined in column ' . col('.'))
  call cursor(7, stridx(getline(7), 'size') + 1)
  execute "normal! ea*si\<C-X>\<C-O>\<C-Y>\<Esc>"
  call s:Check(getline(7) =~# 'size\*si\a*);$' && getline(7) !~# '\*si)', 'completed: ' . getline(7))
  call setline(7, '      λ = max( λ, \nab);')
  call cursor(7, stridx(getline(7), 'nab') + 3)
  execute "normal! a\<C-X>\<C-O>\<C-Y>\<Esc>"
  call s:Check(getline(7) =~# '∇);$', 'completed: ' . getline(7))
  call setline(7, '      λ = max( λ,1.0);')
  call cursor(7, 7)
  DiderotRename level
  DiderotFormat
  call s:Check(getline(5, 7) ==# ['   real level = size*i;', '   update {', '      level = max(level, 1.0);'], 'renamed: ' . string(getline(5, 7)))
  call s:Check(getline(1, 4) ==# program[0:3] && getline(8, '$') ==# program[7:], 'the rest: ' . string(getline(1, '$')))
  DiderotReferences
  call s:Check(len(getqflist()) == 3, 'references: ' . string(getqflist()))
  cclose
  let said = diderot#Rename('y')
  call s:Check(said =~# 'something else', 'a name that is taken: ' . said)
  set nomodified
endfunction

try
  execute 'edit' fnameescape($SAMPLE)
  call s:Check(&filetype ==# 'diderot' && b:current_syntax ==# 'diderot', 'no file type')
  call s:TestClasses()
  call s:TestLinks()
  call s:TestIndent()
  call s:TestTyping()
  call s:TestMake()
  call s:TestServer()
catch
  call add(s:failures, v:throwpoint . ': ' . v:exception)
endtry
call writefile(s:failures + [len(s:failures) . ' failures'], $REPORT)
execute empty(s:failures) ? 'qall!' : 'cquit!'
