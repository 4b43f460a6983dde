" SPDX-License-Identifier: MIT
" One step further in than the line with the innermost open bracket, as `scenec fmt` writes it. Only the
" line before counts, and those that it goes on with, so that long files are indented quickly.
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
let s:continued = '^\s*\([-+]\s\|->\|[*?:<>=]\|/[/*]\@!\|\.\.\|\(and\|or\|over\|after\|with\)\>\)'

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

" How many brackets are open at the end, and how many at the beginning are closed.
function! s:Depth(brackets) abort
  let [depth, least] = [0, 0]
  for bracket in split(a:brackets, '\zs')
    let depth += bracket =~# '[[({]' ? 1 : -1
    let least = min([least, depth])
  endfor
  return [depth - least, -least]
endfunction

" Whether a line begins inside a text in three quotes.
function! s:IsInText(number) abort
  return synIDattr(synID(a:number, 1, 1), 'name') =~# 'String' && getline(a:number) !~# '^"'
endfunction

" Whether a line goes on with what the line before began: by its own first word, or since a value is
" still to come there.
function! s:Continues(number) abort
  return getline(a:number) =~# s:continued
        \ || getline(prevnonblank(a:number - 1)) =~# '[=:]\s*$'
endfunction

function! SceneIndent(number) abort
  let line = getline(a:number)
  " The lines of a text in three quotes stay as they are, up to the quotes that end it.
  if s:IsInText(a:number)
    return -1
  endif
  let before = prevnonblank(a:number - 1)
  while before > 1 && s:IsInText(before)
    let before = prevnonblank(before - 1)
  endwhile
  let brackets = s:Brackets(before)
  while before > 1 && s:Continues(before) && s:Depth(brackets)[0] == 0
    let before = prevnonblank(before - 1)
    let brackets = s:Brackets(before) . brackets
  endwhile
  if before == 0
    return 0
  endif
  let [open, closed] = s:Depth(brackets)
  " What the line before closes at its beginning has moved it out already.
  let closed = max([0, closed - len(matchstr(getline(before), '^\s*\zs[])}]\+'))])
  let steps = (open > 0) - closed - (line =~# '^\s*[])}]') + s:Continues(a:number)
  return indent(before) + steps * shiftwidth()
endfunction
