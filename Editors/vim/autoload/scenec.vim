" SPDX-License-Identifier: MIT
" Formats the buffer; a buffer with syntax errors remains unchanged.
function! scenec#Format() abort
  let lines = systemlist('scenec fmt -', getline(1, '$'))
  if v:shell_error
    echohl ErrorMsg | echo join(lines, "\n") | echohl None
  elseif lines !=# getline(1, '$')
    let view = winsaveview()
    call setline(1, lines)
    call deletebufline('%', len(lines) + 1, '$')
    call winrestview(view)
  endif
endfunction

" Converts the columns of diagnostics after `:make`: scenec counts characters, Vim counts bytes.
function! scenec#Columns(list) abort
  let list = a:list ==# 'l' ? getloclist(0, {'items': 1, 'title': 1}) : getqflist({'items': 1, 'title': 1})
  if get(list, 'title', '') !~# 'scenec check'
    return
  endif
  let texts = {}
  for item in list.items
    if !item.valid || item.col < 2 || item.bufnr <= 0
      continue
    endif
    if !has_key(texts, item.bufnr)
      let texts[item.bufnr] = bufloaded(item.bufnr)
            \ ? getbufline(item.bufnr, 1, '$') : readfile(bufname(item.bufnr))
    endif
    let byte = byteidxcomp(get(texts[item.bufnr], item.lnum - 1, ''), item.col - 1)
    if byte >= 0
      let item.col = byte + 1
    endif
  endfor
  if a:list ==# 'l'
    call setloclist(0, [], 'r', {'items': list.items, 'title': list.title})
  else
    call setqflist([], 'r', {'items': list.items, 'title': list.title})
  endif
endfunction

" Shows the saved scene in a browser; with the language server of Neovim, the buffer.
function! scenec#Preview() abort
  if has('nvim') && luaeval('require("scenec").preview()')
    return
  endif
  let command = ['scenec', 'watch', expand('%:p'), '--no-video', '--open']
  if has('nvim')
    call jobstart(command)
  else
    call job_start(command, {'in_io': 'null', 'out_io': 'null', 'err_io': 'null'})
  endif
endfunction
