" SPDX-License-Identifier: MIT
" The language server for ALE.
call ale#Set('scene_scenec_executable', 'scenec')
call ale#fix#registry#Add('scenec', 'ale#fixers#scenec#Fix', ['scene'], 'Write scenes in their canonical form.')

function! ale_linters#scene#scenec#ProjectRoot(buffer) abort
  let l:folder = ale#path#FindNearestDirectory(a:buffer, '.git')
  return empty(l:folder) ? expand('#' . a:buffer . ':p:h') : fnamemodify(l:folder, ':h:h')
endfunction

call ale#linter#Define('scene', {
\   'name': 'scenec',
\   'lsp': 'stdio',
\   'executable': {buffer -> ale#Var(buffer, 'scene_scenec_executable')},
\   'command': '%e lsp',
\   'project_root': function('ale_linters#scene#scenec#ProjectRoot'),
\})
