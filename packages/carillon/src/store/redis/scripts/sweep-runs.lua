-- Forgets runs finished before a time. before, limit; returns how many went.
local before, limit = take(), take()
local ids = redis.call('ZRANGEBYSCORE', finished, '-inf', '(' .. before, 'LIMIT', 0, limit)
for _, id in ipairs(ids) do forgetRun(id) end
return #ids
