-- Executions with their attributes: by key the newest incarnation, or by incarnation. In the order asked for.
-- Arguments: 'keys' or 'incarnations', how many, which; returns (incarnation, row, creation, attributes or '').
local isByKey = take() == 'keys'
local incarnations = {}
for _ = 1, takeNumber() do
  local name = take()
  if isByKey then name = newestOf(name) end
  if name then incarnations[#incarnations + 1] = name end
end
local values = fetch(executions, incarnations)
local origins = fetch(births, incarnations)
local found = fetch(attributesOf, incarnations)
local rows = {}
for i = 1, #incarnations do
  if values[i] and origins[i] then
    local last = #rows
    rows[last + 1] = incarnations[i]
    rows[last + 2] = values[i]
    rows[last + 3] = origins[i]
    rows[last + 4] = found[i] or ''
  end
end
return rows
