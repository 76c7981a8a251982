-- A piece of the listing. Arguments: beginning (the prefix of all index entries), after (text; '' from the start), limit;
-- returns how many were walked over, then (incarnation, row, creation, attributes or '').
local beginning, after, limit = take(), take(), take()
local from = beginning == '' and '-' or '[' .. beginning
if after ~= '' and after >= beginning then from = '(' .. after .. '\255' end
local to = beginning == '' and '+' or '(' .. beginning .. '\255'
local members = redis.call('ZRANGEBYLEX', index, from, to, 'LIMIT', 0, limit)
local incarnations = {}
for i = 1, #members do incarnations[i] = string.match(members[i], '%z([^%z]*)$') end
local values = fetch(executions, incarnations)
local origins = fetch(births, incarnations)
local found = fetch(attributesOf, incarnations)
local rows = { #members }
for i = 1, #members do
  local last = #rows
  rows[last + 1] = incarnations[i]
  rows[last + 2] = values[i]
  rows[last + 3] = origins[i]
  rows[last + 4] = found[i] or ''
end
return rows
