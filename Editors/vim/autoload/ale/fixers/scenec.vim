" SPDX-License-Identifier: MIT
function! ale#fixers#scenec#Fix(buffer) abort
  return {'command': ale#Escape(ale#Var(a:buffer, 'scene_scenec_executable')) . ' fmt -'}
endfunction
