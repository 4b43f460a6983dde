" SPDX-License-Identifier: MIT
" Indents by one level more than the line with the innermost open bracket, like `scenec fmt`. Only the previous line
" and the lines that it continues are examined, so that long files are indented quickly.
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

" Matches a line that continues the value of the previous line.
let s:continued = '^\s*\([-+]\s\|->\|[*?:<>=]\|/[/*]\@!\|\.\.\|\(and\|or\|over\|after\|with\)\>\)'

" Returns the brackets of a line, except those in texts and comments.
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

" Returns the numbers of unclosed opening brackets and of unmatched closing brackets.
function! s:Depth(brackets) abort
  let [depth, least] = [0, 0]
  for bracket in split(a:brackets, '\zs')
    let depth += bracket =~# '[[({]' ? 1 : -1
    let least = min([least, depth])
  endfor
  return [depth - least, -least]
endfunction

" Returns whether a line begins inside a text in triple quotes or a formula of several lines.
function! s:IsInText(number) abort
  return synIDattr(synID(a:number, 1, 1), 'name') =~# 'String' && getline(a:number) !~# '^"'
endfunction

" Returns whether a line continues the previous line: by its first token, or because the previous line ends before its
" value.
function! s:Continues(number) abort
  return getline(a:number) =~# s:continued
        \ || getline(prevnonblank(a:number - 1)) =~# '[=:]\s*$'
endfunction

function! SceneIndent(number) abort
  let line = getline(a:number)
  " Lines of a text in triple quotes or of a formula keep their indentation, up to the closing marks.
  if s:IsInText(a:number)
    return -1
  endif
  let before = prevnonblank(a:number - 1)
  let brackets = s:Brackets(before)
  while before > 1 && s:IsInText(before)
    let before = prevnonblank(before - 1)
    let brackets = s:Brackets(before) . brackets
  endwhile
  while before > 1 && s:Continues(before) && s:Depth(brackets)[0] == 0
    let before = prevnonblank(before - 1)
    let brackets = s:Brackets(before) . brackets
  endwhile
  if before == 0
    return 0
  endif
  let [open, closed] = s:Depth(brackets)
  " Closing brackets at the start of the previous line have already reduced its indentation.
  let closed = max([0, closed - len(matchstr(getline(before), '^\s*\zs[])}]\+'))])
  let steps = (open > 0) - closed - (line =~# '^\s*[])}]') + s:Continues(a:number)
  return indent(before) + steps * shiftwidth()
endfunction
