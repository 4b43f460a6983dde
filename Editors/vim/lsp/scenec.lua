-- SPDX-License-Identifier: MIT
-- For `vim.lsp.enable('scenec')` of Neovim 0.11.
return {
  cmd = { 'scenec', 'lsp' },
  filetypes = { 'scene' },
  root_markers = { '.git' },
}
