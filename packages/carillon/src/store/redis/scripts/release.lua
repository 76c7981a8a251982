-- Gives back what a selection put off: wherever the mark still stands, the true time is written again.
-- mark, how many, then (index, member, true time).
local mark = takeNumber()
for _ = 1, takeNumber() do
  local key, member, at = base .. take(), take(), take()
  if tonumber(redis.call('ZSCORE', key, member) or '') == mark then redis.call('ZADD', key, at, member) end
end
return 0
