-- SPDX-License-Identifier: MIT
-- Starts the language server for each scene that is opened, in Neovim 0.7 and later:
--   require('scenec').setup()
-- The options of `setup` are added to those of `vim.lsp.start`, such as `on_attach`.
local M = {}

-- The servers started by Neovim 0.7, by folder.
local started = {}

-- Returns the folder that contains `.git`, otherwise the folder of the file.
local function root(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  local git = vim.fn.finddir('.git', folder .. ';')
  if git == '' then git = vim.fn.findfile('.git', folder .. ';') end
  return git == '' and folder or vim.fn.fnamemodify(git, ':p'):gsub('/+$', ''):gsub('/[^/]*$', '')
end

function M.start(buffer, options)
  local config = vim.tbl_deep_extend('force', {
    name = 'scenec',
    cmd = { 'scenec', 'lsp' },
    root_dir = root(buffer),
  }, options or {})
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  local client = started[config.root_dir]
  if not client or vim.lsp.client_is_stopped(client) then
    client = vim.lsp.start_client(config)
    started[config.root_dir] = client
  end
  if client then vim.lsp.buf_attach_client(buffer, client) end
  vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
  vim.bo[buffer].tagfunc = 'v:lua.vim.lsp.tagfunc'
  return client
end

function M.setup(options)
  local function start(event) M.start(event.buf, options) end
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('scenec', {}),
    pattern = 'scene',
    callback = start,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'scene' then
      start({ buf = buffer })
    end
  end
end

-- Requests the preview of this buffer from the server; returns whether a server is running.
function M.preview()
  for _, client in pairs(vim.lsp.buf_get_clients(0)) do
    if client.name == 'scenec' then
      local words = { { uri = vim.uri_from_bufnr(0) } }
      client.request('workspace/executeCommand', { command = 'scenec.openPreview', arguments = words }, function(problem, result)
        if problem then
          vim.notify('scenec: ' .. problem.message, vim.log.levels.ERROR)
        elseif result and not vim.lsp.handlers['window/showDocument'] then
          vim.fn.jobstart({ 'xdg-open', result.url })
        end
      end, 0)
      return true
    end
  end
  return false
end

return M
