-- Removes executions closed before a time. An execution is removed after the last of its slots, which count against the
-- limit like any others. Arguments: before, limit; returns the number of rows removed.
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
