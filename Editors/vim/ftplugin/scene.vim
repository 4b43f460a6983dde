" SPDX-License-Identifier: MIT
" Editing options for scene files.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,:///,://
setlocal formatoptions-=t formatoptions+=croql
setlocal iskeyword+=-
setlocal expandtab shiftwidth=4 softtabstop=4
setlocal include=^\\s*import\\s*\"
compiler scenec
command! -buffer -bar SceneFormat call scenec#Format()
command! -buffer -bar ScenePreview call scenec#Preview()

let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< iskeyword< expandtab<'
      \ . ' shiftwidth< softtabstop< include< makeprg< errorformat< | delcommand -buffer SceneFormat | delcommand -buffer ScenePreview'
