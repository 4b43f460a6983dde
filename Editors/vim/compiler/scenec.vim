" SPDX-License-Identifier: MIT
" `:make` checks the scene and lists the errors.
if exists('current_compiler')
  finish
endif
let current_compiler = 'scenec'

augroup scenec_columns
  autocmd!
  autocmd QuickFixCmdPost make call scenec#Columns('c')
  autocmd QuickFixCmdPost lmake call scenec#Columns('l')
augroup END

CompilerSet makeprg=scenec\ check\ --color\ never\ --quiet\ %:S
CompilerSet errorformat=
      \%Eerror[%t%n]:\ %m,
      \%Wwarning[%t%n]:\ %m,
      \%C\ %#-->\ %f:%l:%c,
      \%C\ %#=\ %m,
      \%Z,
      \%C%.%#,
      \%-G%.%#
