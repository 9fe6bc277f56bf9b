-- Drives Neovim's own client: arguments in the environment, what happened as lines "name value" on standard output.
local server = os.getenv("PLUMBLINE_SERVER")
local function say(name, value)
  io.stdout:write(name .. " " .. tostring(value) .. "\n")
end

local client = vim.lsp.start_client({ cmd = { server }, root_dir = vim.fn.getcwd(), name = "plumbline" })
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, client)

-- What is wrong with the text itself; the engines answer about its goals whenever they get to it.
local function diagnostics()
  return vim.tbl_filter(function(each)
    return each.code == "type-mismatch" or each.code == "locked-line"
  end, vim.diagnostic.get(buffer))
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 10000) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

vim.wait(10000, function() return #diagnostics() > 0 end, 20)
say("diagnostics", #diagnostics())
local codes = {}
for _, each in ipairs(diagnostics()) do
  table.insert(codes, each.code .. ":" .. each.lnum)
end
table.sort(codes)
say("codes", table.concat(codes, " "))
local first = vim.tbl_filter(function(each) return each.code ~= "locked-line" end, diagnostics())[1]
say("line", first.lnum)

vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
local hover = ask("textDocument/hover", vim.lsp.util.make_position_params())
say("hover", hover and vim.inspect(hover.contents.value) or "none")
say("symbols", #(ask("textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params() }) or {}))

local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local actions = ask("textDocument/codeAction", params) or {}
local wanted = os.getenv("PLUMBLINE_ACTION")
for _, action in ipairs(actions) do
  if action.title == wanted then
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
    say("applied", action.title)
    break
  end
end
vim.wait(10000, function() return #diagnostics() == 0 end, 20)
say("left", #diagnostics())
vim.cmd("silent write")
vim.lsp.stop_client(client)
vim.wait(5000, function() return vim.lsp.client_is_stopped(client) end, 20)
say("stopped", vim.lsp.client_is_stopped(client))
vim.cmd("qall!")
