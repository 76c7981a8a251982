-- A piece of the runs, by id. set ('run-ids', 'owner:…', 'alias:…'), order, after ('' from the start; otherwise '='
-- and an id), limit; returns (id, row).
local set, order, after, limit = base .. take(), take(), take(), take()
local ids
if order == 'ascending' then
  ids = redis.call('ZRANGEBYLEX', set, after == '' and '-' or '(' .. string.sub(after, 2), '+', 'LIMIT', 0, limit)
else
  ids = redis.call('ZREVRANGEBYLEX', set, after == '' and '+' or '(' .. string.sub(after, 2), '-', 'LIMIT', 0, limit)
end
local values = fetch(runs, ids)
local rows = {}
for i = 1, #ids do
  rows[2 * i - 1] = ids[i]
  rows[2 * i] = values[i]
end
return rows
