-- run.editors.neovim: Neovim's own client with the language server.
--   nvim --headless -u NONE -i NONE -n -c "luafile neovim_test.lua"   with $EDITORS, $DIDEROTC, $FOLDER, $REPORT
local failures = {}
local function check(held, what)
  if not held then table.insert(failures, what) end
end

local program = {
  "#version 2.0", "/* ∇∇ */ input real size = 0.5;", "strand s (int i) {", "   output real y = 1.0;", "   real λ = size*i;", "   update {",
  "      λ = max(λ, sizee);", "      stabilize;", "   }", "}", "create_array { s(i) | i in 0..3 }",
}

local function test()
  vim.opt.runtimepath:prepend({ vim.env.EDITORS .. "/vim", vim.env.EDITORS .. "/neovim" })
  vim.cmd("filetype plugin indent on")
  vim.g.diderot_compiler = vim.env.DIDEROTC
  vim.g.diderot_lsp = 1 -- of Vim, and nothing to Neovim
  local file = vim.env.FOLDER .. "/a program.diderot"
  vim.fn.writefile(program, file)
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  check(vim.bo.filetype == "diderot", "no file type")
  vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
  local mistake = vim.diagnostic.get(0)[1] or {}
  check(mistake.lnum == 6 and vim.fn.getline(7):sub((mistake.col or 0) + 1, mistake.end_col) == "sizee", vim.inspect(mistake))
  local function ask(method, more)
    local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
    local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. method, params, 20000) or {}
    for _, answer in pairs(answers) do return answer.result end
  end
  vim.fn.cursor(5, 14)
  local declared = ask("definition") or { range = { start = {} } }
  check(declared.range.start.line == 1 and declared.range.start.character == 20, "definition: " .. vim.inspect(declared))
  vim.fn.cursor(7, 7)
  local edit = ask("rename", { newName = "level" }) or {}
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  check(vim.fn.getline(7) == "      level = max(level, sizee);" and vim.fn.getline(5) == "   real level = size*i;", "renamed: " .. vim.fn.getline(7))
  vim.fn.setline(7, "      level = max( level,size);")
  local edits = ask("formatting", { options = { tabSize = 3, insertSpaces = true } }) or {}
  vim.lsp.util.apply_text_edits(edits, 0, "utf-16")
  check(vim.fn.getline(7) == "      level = max(level, size);", "formatted: " .. vim.fn.getline(7))
  vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end, 20)
  check(#vim.diagnostic.get(0) == 0, "mistakes that are mended: " .. vim.inspect(vim.diagnostic.get(0)))
  local items = ask("completion") or {}
  check(#items > 100, "completion: " .. #items)
end

local is_done, why = pcall(test)
check(is_done, why)
table.insert(failures, #failures .. " failures")
vim.fn.writefile(vim.split(table.concat(failures, "\n"), "\n"), vim.env.REPORT)
vim.cmd(#failures == 1 and "qall!" or "cquit!")
