-- When rows next become due. Arguments: now, how many archetypes (−1: all), which, how many queues, which;
-- returns now and the times of due, lapsed and claimable, '' where no row waits. Rows that a node has postponed count with
-- the time at which they become due again if that node has died: no other node needs to look earlier.
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
-- A postponed row has a time between two milliseconds: it is due with the second of them.
local function textOf(time) return time == nil and '' or digits(math.ceil(time)) end
return { digits(now), textOf(due), textOf(lapsed), textOf(claimable) }
