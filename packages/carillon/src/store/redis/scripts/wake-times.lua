-- When rows next become due. Arguments: now, how many archetypes (−1: all), which, and queues as `takeQueues` reads them;
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
local function firstKnown(earliest, key, isKnown)
  local from, size = 0, 200
  while true do
    local found = redis.call('ZRANGE', key, from, from + size - 1, 'WITHSCORES')
    local ids = {}
    for i = 1, #found, 2 do ids[#ids + 1] = found[i] end
    local values = fetch(runs, ids)
    for i = 1, #ids do
      if values[i] and isKnown(values[i]) then
        local at = tonumber(found[2 * i])
        return (earliest == nil or at < earliest) and at or earliest
      end
    end
    if #ids < size then return earliest end
    from = from + size
  end
end
for _, each in ipairs(takeQueues()) do
  for _, priority in ipairs(redis.call('ZRANGE', levelsKey(each.queue), 0, -1)) do
    local key = waitingKey(each.queue, priority)
    if each.isKnown then
      claimable = firstKnown(claimable, key, each.isKnown)
    else
      claimable = first(claimable, key)
    end
  end
end
local lapsed = first(nil, checked)
-- A postponed row has a time between two milliseconds: it is due with the second of them.
local function textOf(time) return time == nil and '' or digits(math.ceil(time)) end
return { digits(now), textOf(due), textOf(lapsed), textOf(claimable) }
