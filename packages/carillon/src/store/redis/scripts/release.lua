-- Releases rows that a selection postponed: where an entry still has the mark, its true time is written again.
-- Arguments: mark, how many, then (index, member, true time).
local mark = takeNumber()
for _ = 1, takeNumber() do
  local key, member, at = base .. take(), take(), take()
  if tonumber(redis.call('ZSCORE', key, member) or '') == mark then redis.call('ZADD', key, at, member) end
end
return 0
