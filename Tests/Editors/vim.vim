" SPDX-License-Identifier: MIT
" Vim with ALE, which interprets UTF-16 columns as bytes, so this scene has no emoji.
set runtimepath^=$SCENE_EDITORS/vim,/usr/share/vim-ale
set hidden noswapfile viminfo=
let g:ale_hover_to_preview = 1
let g:ale_fixers = {'scene': ['scenec']}
filetype plugin indent on
syntax on
runtime plugin/ale.vim

let s:found = []

function! s:See(what, seen) abort
  call add(s:found, a:what . ': ' . a:seen)
  call writefile(s:found, 'found.txt')
endfunction

function! s:Wait(condition) abort
  for i in range(4500)
    if a:condition() | return | endif
    sleep 20m
  endfor
  throw 'waited 90 s for ' . string(a:condition)
endfunction

" Without a terminal, there is no input: the prompts of ALE are answered, and insert mode is simulated during
" completion.
runtime autoload/ale/util.vim

function! ale#util#Input(...) abort
  return s:answer
endfunction

function! ale#util#Mode(...) abort
  return s:mode
endfunction

let s:mode = 'n'

function! s:Errors() abort
  return ale#engine#GetLoclist(bufnr('film.scene'))
endfunction

function! s:Go(to) abort
  call cursor(1, 1)
  call search('\V' . a:to, 'c')
endfunction

function! s:Steps() abort
  edit film.scene
  silent %s/🎬/At/
  silent write
  ALELint
  call s:Wait({-> !empty(s:Errors())})
  let error = s:Errors()[0]
  call s:See('error', error.code . ' ' . getline(error.lnum)[error.col - 1 : error.end_col - 1])

  let s:answer = '1'
  call s:Go('font-sise')
  ALECodeAction
  call s:Wait({-> search('font-size', 'nw')})
  ALELint
  call s:Wait({-> empty(s:Errors())})
  call s:See('fixed', search('font-size: 40px', 'nw') ? len(s:Errors()) : 'no')

  call s:Go('brand-color; ')
  call cursor('.', col('.') + 3)
  let words = []
  let s:mode = 'i'
  call ale#completion#GetCompletions('ale-callback',
        \ {'callback': {items -> extend(words, map(copy(items), {_, item -> item.word}))}})
  call s:Wait({-> !empty(words)})
  let s:mode = 'n'
  call s:See('completion', index(words, 'brand-color') >= 0 ? 'true' : string(words))

  ALEHover
  call s:Wait({-> winnr('$') > 1})
  wincmd w
  call s:See('hover', matchstr(join(getline(1, '$')), 'painted with'))
  only!
  buffer film.scene

  let s:answer = 'accent'
  call s:Go('brand-color; ')
  ALERename
  call s:Wait({-> search('accent', 'nw')})
  let brand = join(getbufline('brand.scene', 1, '$'))
  call s:See('renamed', brand =~# 'let accent =' ? count(join(getline(1, '$')), 'accent') : brand)

  buffer film.scene
  ALEFix
  call s:Wait({-> search('fill: accent; ', 'nw')})
  call s:Go('rect box')
  call s:See('formatted', matchstr(getline('.'), 'rect.*'))

  %s/fill: accent; /fill:accent; /
  SceneFormat
  if getline(6) !~# 'fill: accent;  size' | throw 'SceneFormat: ' . getline(6) | endif
  call s:See('killed', system('python3 ' . $SCENE_RUN . ' kill-worker') . v:shell_error)
  call setline(5, '    fur: 2s')
  ALELint
  call s:Wait({-> !empty(s:Errors())})
  call s:See('error', map(filter(copy(s:Errors()), 'v:val.lnum == 5'), 'v:val.code')[0])

  silent write
  silent make!
  call s:See('line', filter(getqflist(), 'v:val.valid')[0].lnum)
endfunction

try
  call s:Steps()
catch
  call s:See('problem', v:exception . ' ' . v:throwpoint)
endtry
qall!
