" Client of `diderotc lsp`, for Vim from 9.0 on; ftplugin/diderot.vim starts it where g:diderot_lsp is set.
" One server serves all buffers. Columns go as bytes, which is what Vim has.

let s:job = v:null
let s:failed = ''
let s:types = {1: 'DiderotError', 2: 'DiderotWarning', 3: 'DiderotWarning', 4: 'DiderotWarning'}

function s:Uri(buffer)
  let path = fnamemodify(bufname(a:buffer), ':p')
  return 'file://' . substitute(path, '[^A-Za-z0-9/._~-]', '\=s:Escaped(submatch(0))', 'g')
endfunction

function s:Escaped(character)
  return join(map(range(len(a:character)), 'printf("%%%02X", char2nr(a:character[v:val], 0))'), '')
endfunction

function s:Buffer(uri)
  for info in getbufinfo({'bufloaded': 1})
    if getbufvar(info.bufnr, 'diderot_version', 0) > 0 && s:Uri(info.bufnr) ==# a:uri
      return info.bufnr
    endif
  endfor
  return 0
endfunction

function s:Text(buffer)
  return join(getbufline(a:buffer, 1, '$'), "\n") . "\n"
endfunction

function s:IsRunning()
  return s:job isnot v:null && job_status(s:job) ==# 'run'
endfunction

" --- messages

function s:Notify(method, params)
  if s:IsRunning()
    call ch_sendexpr(s:job, {'method': a:method, 'params': a:params})
  endif
endfunction

" The result; v:null where there is none, and s:failed says why.
function s:Request(method, params)
  let s:failed = s:IsRunning() ? '' : 'diderotc lsp does not run'
  if s:failed !=# ''
    return v:null
  endif
  let answer = ch_evalexpr(s:job, {'method': a:method, 'params': a:params}, {'timeout': 5000})
  let s:failed = type(answer) == v:t_dict ? get(get(answer, 'error', {}), 'message', '') : 'no answer'
  return type(answer) == v:t_dict ? get(answer, 'result', v:null) : v:null
endfunction

function s:Start()
  let command = [get(g:, 'diderot_compiler', 'diderotc'), 'lsp']
  if executable(command[0]) == 0
    return
  endif
  let s:job = job_start(command, {'in_mode': 'lsp', 'out_mode': 'lsp', 'err_io': 'null',
        \ 'out_cb': function('s:Notice'), 'noblock': 1})
  call s:Request('initialize', {'processId': getpid(), 'rootUri': v:null,
        \ 'capabilities': {'general': {'positionEncodings': ['utf-8']}}})
  call s:Notify('initialized', {})
endfunction

function s:Notice(channel, message)
  if get(a:message, 'method', '') ==# 'textDocument/publishDiagnostics'
    call s:Show(s:Buffer(a:message.params.uri), a:message.params.diagnostics)
  endif
endfunction

" --- mistakes: marked in the text, and in the location list

function s:Show(buffer, diagnostics)
  if a:buffer == 0
    return
  endif
  for type in ['DiderotError', 'DiderotWarning']
    if prop_type_get(type) == {}
      call prop_type_add(type, {'highlight': type ==# 'DiderotError' ? 'SpellBad' : 'SpellCap'})
    endif
    call prop_remove({'type': type, 'bufnr': a:buffer, 'all': 1})
  endfor
  let list = []
  for d in a:diagnostics
    let [start, end] = [d.range.start, d.range.end]
    let place = {'bufnr': a:buffer, 'lnum': start.line + 1, 'col': start.character + 1}
    call add(list, extend({'text': d.message, 'type': d.severity == 1 ? 'E' : 'W'}, place))
    try
      call prop_add(place.lnum, place.col, {'type': s:types[d.severity], 'bufnr': a:buffer,
            \ 'end_lnum': end.line + 1, 'end_col': end.character + 1})
    catch /E96[46]/ " the text is newer than the message
    endtry
  endfor
  call setbufvar(a:buffer, 'diderot_diagnostics', a:diagnostics)
  for window in win_findbuf(a:buffer)
    call setloclist(window, list, 'r')
  endfor
endfunction

" --- documents

function diderot#Open()
  let buffer = bufnr('%')
  if !s:IsRunning()
    call s:Start()
  endif
  let b:diderot_version = 1
  call s:Notify('textDocument/didOpen', {'textDocument': {'uri': s:Uri(buffer), 'languageId': 'diderot',
        \ 'version': 1, 'text': s:Text(buffer)}})
  let b:diderot_tick = b:changedtick
  augroup diderot_lsp
    autocmd! * <buffer>
    autocmd TextChanged,TextChangedI,TextChangedP <buffer> call diderot#Update()
    autocmd BufUnload <buffer> call diderot#Close(str2nr(expand('<abuf>')))
  augroup END
  setlocal omnifunc=diderot#Complete tagfunc=diderot#Tag keywordprg=:DiderotHover
  command! -buffer -nargs=? DiderotHover call diderot#Hover()
  command! -buffer DiderotReferences call diderot#References()
  command! -buffer -nargs=1 DiderotRename call diderot#Rename(<q-args>)
  command! -buffer DiderotFix call diderot#Fix()
  command! -buffer DiderotFormat call diderot#Format()
endfunction

function diderot#Update()
  if b:changedtick != b:diderot_tick
    let b:diderot_tick = b:changedtick
    let b:diderot_version += 1
    call s:Notify('textDocument/didChange', {'textDocument': {'uri': s:Uri(bufnr('%')),
          \ 'version': b:diderot_version}, 'contentChanges': [{'text': s:Text(bufnr('%'))}]})
  endif
endfunction

function diderot#Close(buffer)
  call s:Notify('textDocument/didClose', {'textDocument': {'uri': s:Uri(a:buffer)}})
endfunction

" --- questions

function s:Ask(method, more)
  call diderot#Update()
  let here = {'textDocument': {'uri': s:Uri(bufnr('%'))},
        \ 'position': {'line': line('.') - 1, 'character': col('.') - 1}}
  return s:Request('textDocument/' . a:method, extend(here, a:more))
endfunction

function s:Complain()
  echohl WarningMsg
  echomsg 'diderotc: ' . s:failed
  echohl None
endfunction

function diderot#Hover()
  let found = s:Ask('hover', {})
  if type(found) == v:t_dict
    let lines = filter(split(found.contents.value, "\n"), 'v:val !~# "^```"')
    call popup_atcursor(lines, {'moved': 'word', 'border': [], 'padding': [0, 1, 0, 1]})
    return lines
  endif
  return []
endfunction

" CTRL-] and CTRL-T
function diderot#Tag(pattern, flags, info)
  let found = a:flags =~# 'c' ? s:Ask('definition', {}) : v:null
  if type(found) != v:t_dict
    return v:null
  endif
  let start = found.range.start
  return [{'name': a:pattern, 'filename': expand('%:p'),
        \ 'cmd': printf('call cursor(%d, %d)', start.line + 1, start.character + 1)}]
endfunction

" CTRL-X CTRL-O
function diderot#Complete(findstart, base)
  if a:findstart
    let before = strpart(getline('.'), 0, col('.') - 1)
    let s:items = s:Ask('completion', {})
    return match(before, '\%(\\\a*\|\k*\)$')
  endif
  let items = []
  for item in type(s:items) == v:t_list ? sort(copy(s:items), {a, b -> a.sortText ># b.sortText ? 1 : -1}) : []
    if stridx(get(item, 'filterText', item.label), a:base) == 0
      let word = has_key(item, 'textEdit') ? item.textEdit.newText : item.label
      call add(items, {'word': word, 'abbr': item.label, 'menu': item.detail})
    endif
  endfor
  return items
endfunction

function diderot#References()
  let found = s:Ask('references', {'context': {'includeDeclaration': v:true}})
  let list = []
  for place in type(found) == v:t_list ? found : []
    let start = place.range.start
    call add(list, {'bufnr': bufnr('%'), 'lnum': start.line + 1, 'col': start.character + 1,
          \ 'text': getline(start.line + 1)})
  endfor
  call setqflist(list)
  copen
endfunction

" --- edits, from the last to the first, so that places stay right

function s:Apply(edits)
  let view = winsaveview()
  let sorted = sort(copy(a:edits), {a, b -> a.range.start.line != b.range.start.line
        \ ? b.range.start.line - a.range.start.line : b.range.start.character - a.range.start.character})
  for edit in sorted
    let [start, end] = [edit.range.start, edit.range.end]
    let head = strpart(getline(start.line + 1), 0, start.character)
    let tail = strpart(getline(end.line + 1), end.character)
    let lines = split(head . edit.newText . tail, "\n", 1)
    if end.line >= line('$') && lines[-1] ==# '' " behind the last line there is no text
      call remove(lines, -1)
    endif
    call append(min([end.line + 1, line('$')]), lines)
    call deletebufline('%', start.line + 1, min([end.line + 1, line('$') - len(lines)]))
  endfor
  call winrestview(view)
  call diderot#Update()
endfunction

function diderot#Rename(name)
  let found = s:Ask('rename', {'newName': a:name})
  if type(found) == v:t_dict
    call s:Apply(found.changes[s:Uri(bufnr('%'))])
  else
    call s:Complain()
  endif
  return s:failed
endfunction

function diderot#Format()
  let found = s:Ask('formatting', {'options': {'tabSize': &shiftwidth, 'insertSpaces': v:true}})
  if type(found) == v:t_list
    call s:Apply(found)
  else
    call s:Complain()
  endif
endfunction

" What can be done about the line of the cursor; asks when there are several.
function diderot#Fix()
  let here = {'start': {'line': line('.') - 1, 'character': 0}, 'end': {'line': line('.') - 1, 'character': len(getline('.'))}}
  let found = s:Ask('codeAction', {'range': here, 'context': {'diagnostics': []}})
  if type(found) != v:t_list || empty(found)
    return
  endif
  let titles = map(copy(found), '(v:key + 1) . ". " . v:val.title')
  let choice = len(found) == 1 ? 1 : inputlist(titles)
  if choice >= 1 && choice <= len(found)
    call s:Apply(found[choice - 1].edit.changes[s:Uri(bufnr('%'))])
  endif
endfunction
