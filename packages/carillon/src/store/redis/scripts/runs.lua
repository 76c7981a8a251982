-- A piece of the runs, by id, or by start where the set is in that order. Arguments: set ('run-ids', 'owner:…', 'alias:…'), order,
-- after ('' from the start; otherwise '=' and an id, by start '=', an ordinal, NUL and an id), limit, whether by start;
-- returns (id, row).
local set, order, after, limit, byStart = base .. take(), take(), take(), take(), take() == '1'
local ids
if byStart then
  local isUp = order == 'ascending'
  local from = 0
  if after ~= '' then
    local ordinal, id = string.match(after, '^=(-?%d+)%z(.*)$')
    local rank = redis.call(isUp and 'ZRANK' or 'ZREVRANK', set, id)
    if rank then
      from = rank + 1
    elseif isUp then
      from = redis.call('ZCOUNT', set, '-inf', ordinal)
    else
      from = redis.call('ZCOUNT', set, ordinal, '+inf')
    end
  end
  ids = redis.call(isUp and 'ZRANGE' or 'ZREVRANGE', set, from, from + tonumber(limit) - 1)
elseif order == 'ascending' then
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
