" SPDX-License-Identifier: MIT
" One step further in for the brackets that a line leaves open, as `scenec fmt` writes it.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=SceneIndent(v:lnum)
setlocal indentkeys=0{,0},0],0),!^F,o,O
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*SceneIndent')
  finish
endif

" A line that goes on with the value of the line before.
let s:continued = '^\s*\([-+]\s\|->\|[*?<>=]\|/[/*]\@!\|\.\.\|\(and\|or\|over\|after\|with\)\>\)'

" The brackets of a line, without those in texts and comments.
function! s:Brackets(number) abort
  let found = ''
  let line = getline(a:number)
  for column in range(len(line))
    if line[column] =~# '[][(){}]'
          \ && synIDattr(synID(a:number, column + 1, 1), 'name') !~# 'String\|Escape\|Value\|Comment\|Doc'
      let found .= line[column]
    endif
  endfor
  return found
endfunction

function! SceneIndent(number) abort
  " The lines of a text in three quotes stay as they are.
  if synIDattr(synID(a:number, 1, 1), 'name') =~# 'String' && getline(a:number) !~# '^\s*"'
    return -1
  endif
  let before = prevnonblank(a:number - 1)
  let brackets = s:Brackets(before)
  while getline(before) =~# s:continued && before > 1
    let before = prevnonblank(before - 1)
    let brackets = s:Brackets(before) . brackets
  endwhile
  if before == 0
    return 0
  endif
  let depth = 0
  let opened = 0
  for bracket in split(brackets, '\zs')
    let depth += bracket =~# '[[({]' ? 1 : -1
    let opened = min([opened, depth])
  endfor
  let indent = indent(before) + (depth - opened > 0 ? shiftwidth() : 0)
  " Brackets that the line before closes at its beginning have moved it out already.
  let closed = len(matchstr(getline(before), '^\s*\zs[])}]\+'))
  let indent += min([0, opened + closed]) * shiftwidth()
  if getline(a:number) =~# '^\s*[])}]'
    return indent - shiftwidth()
  endif
  return indent + (getline(a:number) =~# s:continued ? shiftwidth() : 0)
endfunction
