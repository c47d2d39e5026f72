-- Drives nvim-dap through its own functions and prints where the program stands; nothing is waited for longer than half a minute.
local dap = require('dap')
local stops = 0
-- After a stop nvim-dap asks for the stack, and for the scopes of the frame that it shows.
dap.listeners.after.scopes['test'] = function() stops = stops + 1 end

local function await(what, ready)
  if not vim.wait(30000, ready, 20) then
    io.stdout:write('never came: ' .. what .. '\n')
    vim.cmd('cquit 1')
  end
end

local function stand(what, act)
  local before = stops
  act()
  local frame
  await(what, function()
    frame = stops > before and dap.session() and dap.session().current_frame
    return frame
  end)
  io.stdout:write(what .. ': ' .. frame.name .. ' ' .. frame.line .. '\n')
end

vim.cmd('edit hello.s')
vim.bo.filetype = 'asm'
vim.api.nvim_win_set_cursor(0, { 14, 0 })
dap.set_breakpoint()
stand('run', function() dap.run(vim.tbl_extend('force', dap.configurations.asm[1], { window = false })) end)
stand('step over', dap.step_over)
stand('step back', dap.step_back)
stand('continue', dap.continue)
stand('reverse continue', dap.reverse_continue)
local answer
dap.session():evaluate('paint', function(fault, told) answer = fault and fault.message or told.result end)
await('evaluate', function() return answer end)
io.stdout:write('paint = ' .. answer .. '\n')
dap.terminate()
await('the end', function() return dap.session() == nil end)
vim.cmd('qall!')
