-- Neovim's own client for `diderotc lsp`. g:diderot_compiler names another compiler.
local compiler = vim.g.diderot_compiler or "diderotc"
if vim.fn.executable(compiler) == 1 then
  local config = { name = "diderotc", cmd = { compiler, "lsp" }, root_dir = vim.fn.expand("%:p:h") }
  if vim.lsp.start then
    config.reuse_client = function(client) return client.name == config.name end
    vim.lsp.start(config)
  else -- before 0.8
    vim.g.diderot_client = vim.g.diderot_client or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, vim.g.diderot_client)
  end
  vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
  vim.bo.formatexpr = "v:lua.vim.lsp.formatexpr()"
end
