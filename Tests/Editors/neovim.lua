-- SPDX-License-Identifier: MIT
require('scenec').setup()

local found = {}
local function see(what, seen)
  table.insert(found, what .. ': ' .. tostring(seen))
  vim.fn.writefile(found, 'found.txt')
end

local function wait(condition)
  assert(vim.wait(90000, condition, 20), 'waited 90 s in vain')
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false), '\n')
end

local function errors() return vim.diagnostic.get(0) end

-- Puts the cursor at the beginning of a text.
local function go(to)
  vim.fn.cursor(1, 1)
  vim.fn.search('\\V' .. to, 'c')
end

local function ask(method, more)
  local parameters = vim.tbl_extend('force', vim.lsp.util.make_position_params(), more or {})
  local _, answer = next(vim.lsp.buf_request_sync(0, method, parameters, 90000) or {})
  return answer and answer.result
end

local function steps()
  vim.cmd('edit film.scene')
  wait(function() return #errors() > 0 end)
  local error = errors()[1]
  local line = vim.fn.getline(error.lnum + 1)
  see('error', error.code .. ' ' .. line:sub(error.col + 1, error.end_col))

  go('font-sise')
  local range = vim.lsp.util.make_range_params()
  range.context = { diagnostics = {} }
  local action = ask('textDocument/codeAction', range)[1]
  vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
  wait(function() return #errors() == 0 end)
  see('fixed', text():match('font%-size: 40px') and #errors())

  go('brand-color; ')
  local labels = {}
  for _, item in ipairs(ask('textDocument/completion').items) do labels[item.label] = true end
  see('completion', labels['brand-color'])
  see('hover', ask('textDocument/hover').contents.value:match('painted with'))

  vim.cmd('edit brand.scene | buffer film.scene')
  go('brand-color; ')
  vim.lsp.buf.rename('accent')
  wait(function() return text():match('accent') end)
  see('renamed', text(vim.fn.bufnr('brand.scene')):match('let accent =')
    and select(2, text():gsub('accent', '')))

  go('rect box')
  vim.lsp.util.apply_text_edits(ask('textDocument/formatting', { options = vim.empty_dict() }), 0, 'utf-16')
  see('formatted', vim.fn.getline('.'):match('rect.*'))

  wait(function() return #errors() == 0 end)
  see('killed', vim.fn.system('python3 ' .. vim.env.SCENE_RUN .. ' kill-worker') and vim.v.shell_error)
  vim.fn.setline(5, '    fur: 2s')
  local later
  wait(function()
    for _, it in ipairs(errors()) do
      if it.lnum == 4 then later = it.code end
    end
    return later
  end)
  see('error', later)

  vim.cmd('write | silent make!')
  see('line', vim.fn.getqflist()[1].lnum)
end

local isRight, problem = pcall(steps)
if not isRight then see('problem', problem) end
vim.cmd('qall!')
