-- Events of executions. Arguments: how many questions, then each: the incarnation and one of
--   'ids', topic, how many, ids…          those that exist
--   'held', run                           the reserved ones of a run
--   'line', topic, state, descending (0 or 1), lowest, highest, limit    by sequence
-- Returns for each question (topic and id as text, value) in turn.
local answers = {}
for question = 1, takeNumber() do
  local owner, kind = take(), take()
  local fields = {}
  if kind == 'ids' then
    local topic = take()
    for i = 1, takeNumber() do fields[i] = topic .. '\0' .. take() end
  elseif kind == 'held' then
    fields = redis.call('SMEMBERS', heldEventsKey(owner, take()))
  else
    local topic, state, isDescending, lowest, highest, limit = take(), take(), take(), take(), take(), take()
    local key = lineKey(owner, topic, state)
    local ids
    if isDescending == '1' then
      ids = redis.call('ZREVRANGEBYSCORE', key, highest, lowest, 'LIMIT', 0, limit)
    else
      ids = redis.call('ZRANGEBYSCORE', key, lowest, highest, 'LIMIT', 0, limit)
    end
    for i = 1, #ids do fields[i] = topic .. '\0' .. ids[i] end
  end
  local found = {}
  local values = fetch(eventsKey(owner), fields)
  for i = 1, #fields do
    if values[i] then
      found[#found + 1] = fields[i]
      found[#found + 1] = values[i]
    end
  end
  answers[question] = found
end
return answers
