" SPDX-License-Identifier: MIT
" Writes the buffer in its canonical form; one with syntax errors stays as it is.
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
