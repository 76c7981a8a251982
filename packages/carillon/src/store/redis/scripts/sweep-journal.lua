-- Removes audit rows older than a time; examines the oldest `limit`, which are in order of time except for
-- jumps of a clock. Arguments: before, limit; returns the number removed.
local before, limit = takeNumber(), takeNumber()
local order = base .. 'audit-order'
local gone = 0
for _, member in ipairs(limit > 0 and redis.call('ZRANGE', order, 0, limit - 1) or {}) do
  local at, sequence, name = string.match(member, '^([^%z]*)%z([^%z]*)%z(.*)$')
  if tonumber(at) < before then
    redis.call('ZREM', order, member)
    redis.call('HDEL', base .. 'audit', sequence)
    redis.call('ZREM', base .. 'audit-of:' .. name, sequence)
    gone = gone + 1
  end
end
return gone
