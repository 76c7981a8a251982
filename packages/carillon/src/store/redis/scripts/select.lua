-- Selects the rows of a transaction and reads the clock, at one moment.
--
-- `due`, `claimable` and `lapsed` postpone the rows they return in the index by a short time, so that other nodes
-- skip them; the commit writes the true times again. A node that dies in between leaves rows that become due again by
-- themselves. This saves conflicts and is not a lock: only the versions guard the writes.
--
-- Arguments: now, kind, …; returns now, until when the rows are postponed, executions (incarnation, row, creation), runs (id, row),
-- and for `keys` the incarnation under each key, for `step` the executions that were due.
local now = takeNow()
local kind = take()
local until_ = ''
local incarnations = {}
local runIdsFound = {}
local newest = {}

-- The mark lies between two milliseconds: no row has such a time, so a released entry was truly postponed.
local function putOff(claims, hold)
  until_ = digits(now + hold - 1) .. '.5'
  for key, members in pairs(claims) do
    local values = {}
    for i = 1, #members do
      values[2 * i - 1] = until_
      values[2 * i] = members[i]
    end
    inPieces('ZADD', key, values)
  end
end

-- Entries of several sorted sets in one order, cut to the limit, and by set the entries to postpone.
local function chosen(entries, limit, isBefore, isMerged)
  if isMerged then table.sort(entries, isBefore) end
  local claims = {}
  local members = {}
  for i = 1, math.min(limit, #entries) do
    local entry = entries[i]
    members[i] = entry.member
    local claim = claims[entry.key]
    if claim then claim[#claim + 1] = entry.member else claims[entry.key] = { entry.member } end
  end
  return members, claims
end

local function earliest(key, limit, entries, priority)
  local found = redis.call('ZRANGEBYSCORE', key, '-inf', digits(now), 'WITHSCORES', 'LIMIT', 0, limit)
  for i = 1, #found, 2 do
    entries[#entries + 1] =
      { member = found[i], score = tonumber(found[i + 1]), key = key, priority = priority }
  end
  return #found / 2
end

-- The same for runs that the caller knows; those of others are passed over here, in pages.
local function earliestKnown(key, limit, entries, priority, isKnown)
  local count, from, size = 0, 0, 200
  while count < limit do
    local found = redis.call('ZRANGEBYSCORE', key, '-inf', digits(now), 'WITHSCORES', 'LIMIT', from, size)
    local ids = {}
    for i = 1, #found, 2 do ids[#ids + 1] = found[i] end
    local values = fetch(runs, ids)
    for i = 1, #ids do
      if count < limit and values[i] and isKnown(values[i]) then
        entries[#entries + 1] = { member = ids[i], score = tonumber(found[2 * i]), key = key, priority = priority }
        count = count + 1
      end
    end
    if #ids < size then break end
    from = from + size
  end
  return count
end

local function byScore(a, b)
  if a.score ~= b.score then return a.score < b.score end
  return a.member < b.member
end
local function byPriority(a, b)
  if a.priority ~= b.priority then return a.priority > b.priority end
  return byScore(a, b)
end

local function selectDue()
  local hold, limit, count = takeNumber(), takeNumber(), takeNumber()
  local archetypes = {}
  if count < 0 then
    archetypes = redis.call('SMEMBERS', archetypeSet)
  else
    for i = 1, count do archetypes[i] = take() end
  end
  local entries = {}
  for _, archetype in ipairs(archetypes) do earliest(dueKey(archetype), limit, entries, 0) end
  local found, claims = chosen(entries, limit, byScore, #archetypes > 1)
  putOff(claims, hold)
  return found
end

if kind == 'due' then
  incarnations = selectDue()
elseif kind == 'step' then
  for i = 1, takeNumber() do runIdsFound[i] = take() end
  newest = selectDue()
elseif kind == 'keys' then
  for i = 1, takeNumber() do
    local incarnation = newestOf(take())
    newest[i] = incarnation or ''
    if incarnation then incarnations[#incarnations + 1] = incarnation end
  end
elseif kind == 'runs' then
  for i = 1, takeNumber() do runIdsFound[i] = take() end
elseif kind == 'claimable' then
  local hold, limit = takeNumber(), takeNumber()
  local queues = takeQueues()
  local entries = {}
  for _, each in ipairs(queues) do
    local queue = each.queue
    local wanted = limit
    for _, priority in ipairs(redis.call('ZREVRANGE', levelsKey(queue), 0, -1)) do
      if wanted <= 0 then break end
      local key = waitingKey(queue, priority)
      local found
      if each.isKnown then
        found = earliestKnown(key, wanted, entries, tonumber(priority), each.isKnown)
      else
        found = earliest(key, wanted, entries, tonumber(priority))
      end
      wanted = wanted - found
      if found == 0 and redis.call('EXISTS', key) == 0 then redis.call('ZREM', levelsKey(queue), priority) end
    end
  end
  local claims
  runIdsFound, claims = chosen(entries, limit, byPriority, #queues > 1)
  putOff(claims, hold)
elseif kind == 'owned' then
  local incarnation, limit, upTo = take(), take(), take()
  runIdsFound = redis.call('ZREVRANGEBYSCORE', openOfKey(incarnation), upTo, '-inf', 'LIMIT', 0, limit)
  incarnations[1] = incarnation
elseif kind == 'held' then
  local worker, limit = take(), takeNumber()
  runIdsFound = limit > 0 and redis.call('ZRANGE', heldKey(worker), 0, limit - 1) or {}
  incarnations[1] = worker
else
  local hold, limit = takeNumber(), takeNumber()
  local entries = {}
  earliest(checked, limit, entries, 0)
  local claims
  runIdsFound, claims = chosen(entries, limit, byScore, false)
  putOff(claims, hold)
end

local runRows = {}
local runValues = fetch(runs, runIdsFound)
local owners = {}
for i = 1, #runIdsFound do
  local value = runValues[i]
  if value then
    runRows[#runRows + 1] = runIdsFound[i]
    runRows[#runRows + 1] = value
    if kind ~= 'claimable' and kind ~= 'owned' then
      local owner = runHead(value).owner
      if owner and not owners[owner] then
        owners[owner] = true
        incarnations[#incarnations + 1] = owner
      end
    end
  end
end

-- Owners come first; due executions that own none of the runs follow.
if kind == 'step' then
  for _, incarnation in ipairs(newest) do
    if not owners[incarnation] then incarnations[#incarnations + 1] = incarnation end
  end
end

local executionRows = {}
local values = fetch(executions, incarnations)
local origins = fetch(births, incarnations)
for i = 1, #incarnations do
  if values[i] and origins[i] then
    local last = #executionRows
    executionRows[last + 1] = incarnations[i]
    executionRows[last + 2] = values[i]
    executionRows[last + 3] = origins[i]
  end
end
return { digits(now), until_, executionRows, runRows, newest }
