-- Removes runs finished before a time. Arguments: before, limit; returns the number removed.
local before, limit = take(), take()
local ids = redis.call('ZRANGEBYSCORE', finished, '-inf', '(' .. before, 'LIMIT', 0, limit)
for _, id in ipairs(ids) do forgetRun(id) end
return #ids
