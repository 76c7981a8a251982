-- Forgets executions closed before a time. An execution goes after the last of its slots, which count against the
-- bound like any others. before, limit; returns how many rows went.
local before, limit = take(), takeNumber()
local slotsGone, gone = 0, 0
for _, incarnation in ipairs(redis.call('ZRANGEBYSCORE', closed, '-inf', '(' .. before, 'LIMIT', 0, limit)) do
  local left = limit - slotsGone
  if left > 0 then
    slotsGone = slotsGone + redis.call('ZREMRANGEBYRANK', slotsKey(incarnation), 0, left - 1)
  end
  if redis.call('EXISTS', slotsKey(incarnation)) == 1 then break end
  removeExecution(incarnation)
  gone = gone + 1
end
return slotsGone + gone
