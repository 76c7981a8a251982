-- When something will next want attention. now, how many archetypes (−1: all), which, how many queues, which;
-- returns now and the times of due, lapsed and claimable, '' where nothing waits. What a node has in hand counts from
-- when it comes round again should that node have died: nobody needs to look earlier.
local now = takeNow()
local function first(earliest, key)
  local found = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  if #found == 0 then return earliest end
  local at = tonumber(found[2])
  return (earliest == nil or at < earliest) and at or earliest
end
local due
local count = takeNumber()
if count < 0 then
  for _, archetype in ipairs(redis.call('SMEMBERS', archetypeSet)) do due = first(due, dueKey(archetype)) end
else
  for _ = 1, count do due = first(due, dueKey(take())) end
end
local claimable
for _ = 1, takeNumber() do
  local queue = take()
  for _, priority in ipairs(redis.call('ZRANGE', levelsKey(queue), 0, -1)) do
    claimable = first(claimable, waitingKey(queue, priority))
  end
end
local lapsed = first(nil, checked)
-- What was put off comes between two milliseconds: it is there with the second of them.
local function textOf(time) return time == nil and '' or digits(math.ceil(time)) end
return { digits(now), textOf(due), textOf(lapsed), textOf(claimable) }
