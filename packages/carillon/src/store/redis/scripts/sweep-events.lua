-- Removes consumed and skipped events that became so before a time. Arguments: before, limit; returns the number removed.
local before, limit = take(), take()
local members = redis.call('ZRANGEBYSCORE', finalEvents, '-inf', '(' .. before, 'LIMIT', 0, limit)
for _, member in ipairs(members) do
  local owner, topic, id = string.match(member, '^([^%z]*)%z([^%z]*)%z([^%z]*)$')
  local field = topic .. '\0' .. id
  local value = redis.call('HGET', eventsKey(owner), field)
  -- The execution may have been removed with all its events.
  if value then
    redis.call('HDEL', eventsKey(owner), field)
    redis.call('ZREM', lineKey(owner, topic, eventHead(value).state), id)
  end
  redis.call('ZREM', finalEvents, member)
end
return #members
