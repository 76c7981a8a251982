-- A piece of the runs, in the order of a set: by id, or by score and id. Arguments: set ('run-ids', 'starts', 'owner:…', 'alias:…'),
-- order, after ('' from the start; otherwise '=' and an id, by score '=', a score, NUL and an id), limit, whether by
-- score; returns (id, row).
local set, order, after, limit, byScore = base .. take(), take(), take(), take(), take() == '1'
local isUp = order == 'ascending'

-- By bytes, as Redis itself orders members; Lua compares texts by the locale of the server.
local function isBefore(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

-- How many runs come before the page. The last run of the page before may be gone; then those of its score are counted one by one.
local function passed(score, id)
  local rank = redis.call(isUp and 'ZRANK' or 'ZREVRANK', set, id)
  if rank then return rank + 1 end
  local count = isUp and redis.call('ZCOUNT', set, '-inf', '(' .. score) or redis.call('ZCOUNT', set, '(' .. score, '+inf')
  for _, other in ipairs(redis.call('ZRANGEBYSCORE', set, score, score)) do
    if (isUp and isBefore(other, id)) or (not isUp and isBefore(id, other)) then count = count + 1 end
  end
  return count
end

local ids
if byScore then
  local from = 0
  if after ~= '' then
    local score, id = string.match(after, '^=(-?%d+)%z(.*)$')
    from = passed(score, id)
  end
  ids = redis.call(isUp and 'ZRANGE' or 'ZREVRANGE', set, from, from + tonumber(limit) - 1)
elseif isUp then
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
