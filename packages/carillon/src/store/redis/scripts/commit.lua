-- Commits a decision: everything is checked before anything is written, and no other command runs in between.
--
-- Returns {'stale'} when a row the decision was made over has changed since: the decision must be made again;
-- {'conflict', what} when the writes are impossible; {'taken', kind, name, state or run, …} when names of new runs are in
-- use; {'ok', keys of removed executions…} when all is written.
-- The arguments come in the order in which they are taken here; `writing.ts` writes them.

local isRemoved = {}
local isInserted = {}
local storedValue = {}

-- The rows that the decision saw.
local seen = {}
local seenVersions = {}
for i = 1, takeNumber() do seen[i], seenVersions[i] = take(), takeNumber() end
local values = fetch(executions, seen)
for i = 1, #seen do
  if not values[i] or executionHead(values[i]) ~= seenVersions[i] then return { 'stale' } end
  storedValue[seen[i]] = values[i]
end

local storedRun = {}
local seenRuns = {}
local seenRevisions = {}
for i = 1, takeNumber() do seenRuns[i], seenRevisions[i] = take(), take() end
values = fetch(runs, seenRuns)
for i = 1, #seenRuns do
  if not values[i] or string.match(values[i], '^%d+') ~= seenRevisions[i] then return { 'stale' } end
  storedRun[seenRuns[i]] = values[i]
end

for _ = 1, takeNumber() do
  local keyText, incarnation = take(), take()
  if (newestOf(keyText) or '') ~= incarnation then return { 'stale' } end
end

-- The rows to write.
local removals = {}
for i = 1, takeNumber() do
  removals[i] = take()
  isRemoved[removals[i]] = true
end

local function notStored(incarnation)
  return { 'conflict', 'execution ' .. incarnation .. ' is not stored' }
end

-- Rows are passed in the form in which they are written, so that they go from the arguments into the store by the
-- thousand: (incarnation, value), those the decision saw first.
local function takeRows(count)
  local first = taken + 1
  taken = taken + 2 * count
  return first, taken
end
local function writeRows(command, key, first, last)
  for from = first, last, most do
    redis.call(command, key, unpack(ARGV, from, math.min(from + most - 1, last)))
  end
end

local seenCount, replacedCount = takeNumber(), takeNumber()
local firstReplaced, lastReplaced = takeRows(replacedCount)
local names = {}
for i = 1, replacedCount do names[i] = ARGV[firstReplaced + 2 * i - 2] end
values = fetch(executions, names)
local isClosing = {}
for i = 1, replacedCount do
  local name, value = names[i], values[i]
  local version, status = executionHead(ARGV[firstReplaced + 2 * i - 1])
  local storedVersion, storedStatus
  if value and not isRemoved[name] then storedVersion, storedStatus = executionHead(value) end
  if storedVersion ~= version - 1 then
    if i <= seenCount and not isRemoved[name] then return { 'stale' } end
    if not storedVersion then return notStored(name) end
    return { 'conflict', 'execution ' .. name .. ' is at version ' .. digits(storedVersion) .. ', not '
      .. digits(version - 1) }
  end
  if storedStatus == 'c' and status == 'o' then
    return { 'conflict', 'execution ' .. name .. ' is closed and cannot be opened again' }
  end
  if status == 'c' then isClosing[name] = true end
  storedValue[name] = value
end

local inserted = {}
for i = 1, takeNumber() do
  local row = { incarnation = take(), value = take(), archetype = take(), keyText = take(), createdAt = take() }
  inserted[i] = row
  if storedValue[row.incarnation] or redis.call('HEXISTS', executions, row.incarnation) == 1 then
    return { 'conflict', 'incarnation ' .. row.incarnation .. ' exists already' }
  end
  local newest = newestOf(row.keyText)
  if newest and not isClosing[newest] and not isRemoved[newest] then
    local value = storedValue[newest] or redis.call('HGET', executions, newest)
    local _, status = executionHead(value)
    if status == 'o' then
      return { 'conflict', string.gsub(row.keyText, '%z', '/') .. ' is open already' }
    end
  end
  isInserted[row.incarnation] = true
end

-- The changes of indexes: additions to and removals from sorted sets, and attributes.
local indexed = {}
for i = 1, takeNumber() do
  local key = base .. take()
  indexed[i] = { key, takeRows(takeNumber()) }
end
local unindexed = {}
for i = 1, takeNumber() do unindexed[i] = { base .. take(), take() } end
local firstAttributes, lastAttributes = takeRows(takeNumber())
local bare = {}
for i = 1, takeNumber() do bare[i] = take() end

local function isThere(incarnation)
  if isInserted[incarnation] then return true end
  if isRemoved[incarnation] then return false end
  if storedValue[incarnation] then return true end
  return redis.call('HEXISTS', executions, incarnation) == 1
end

local dropped = {}
for i = 1, takeNumber() do dropped[i] = { take(), take() } end
local parts = {}
for i = 1, takeNumber() do
  local incarnation, field, value = take(), take(), take()
  if not isThere(incarnation) then return notStored(incarnation) end
  if redis.call('HEXISTS', partsKey(incarnation), field) == 1 then
    return { 'conflict', 'part ' .. string.gsub(field, '%z', '@') .. ' of ' .. incarnation .. ' exists already' }
  end
  parts[i] = { incarnation, field, value }
end
local slots = {}
for i = 1, takeNumber() do
  slots[i] = { take(), take(), take(), take() }
  if not isThere(slots[i][1]) then return notStored(slots[i][1]) end
end

local changedRuns = {}
local changedRunValues = {}
local unseen = {}
local isFinishing = {}
for i = 1, takeNumber() do
  changedRuns[i], changedRunValues[i] = take(), take()
  isFinishing[changedRuns[i]] = not runHead('0' .. changedRunValues[i]).isOpen
  if not storedRun[changedRuns[i]] then unseen[#unseen + 1] = changedRuns[i] end
end
values = fetch(runs, unseen)
for i = 1, #unseen do
  if not values[i] then return { 'conflict', 'run ' .. unseen[i] .. ' is not stored' } end
  storedRun[unseen[i]] = values[i]
end

local newRuns = {}
local newRunValues = {}
local createdAt = {}
for i = 1, takeNumber() do newRuns[i], newRunValues[i], createdAt[i] = take(), take(), take() end
local newHeads = {}
local inUse = { 'taken' }
values = fetch(runs, newRuns)
for i = 1, #newRuns do
  newRunValues[i] = '1' .. newRunValues[i]
  newHeads[i] = runHead(newRunValues[i])
  if values[i] then
    inUse[#inUse + 1] = 'id'
    inUse[#inUse + 1] = newRuns[i]
    inUse[#inUse + 1] = runHead(values[i]).isOpen and not isFinishing[newRuns[i]] and 'open' or 'done'
  end
  local only = newHeads[i].only
  local holder = only and redis.call('HGET', takenAliases, only)
  if holder and not isFinishing[holder] then
    inUse[#inUse + 1] = 'alias'
    inUse[#inUse + 1] = only
    inUse[#inUse + 1] = holder
  end
end
if #inUse > 1 then return inUse end

local removedRuns = {}
for i = 1, takeNumber() do removedRuns[i] = take() end
values = fetch(runs, removedRuns)
for i = 1, #removedRuns do
  if values[i] and runHead(values[i]).isOpen then
    return { 'conflict', 'run ' .. removedRuns[i] .. ' has not finished' }
  end
end

local newEvents = {}
for i = 1, takeNumber() do
  local owner, topic, id, value = take(), take(), take(), take()
  if not isThere(owner) then return notStored(owner) end
  if redis.call('HEXISTS', eventsKey(owner), topic .. '\0' .. id) == 1 then
    return { 'conflict', 'event ' .. id .. ' of topic ' .. topic .. ' of ' .. owner .. ' exists already' }
  end
  newEvents[i] = { owner, topic, id, value }
end
local changedEvents = {}
for i = 1, takeNumber() do
  local owner, topic, id, value = take(), take(), take(), take()
  if not isThere(owner) then return notStored(owner) end
  local old = redis.call('HGET', eventsKey(owner), topic .. '\0' .. id)
  if not old then return { 'conflict', 'event ' .. id .. ' of topic ' .. topic .. ' of ' .. owner .. ' is not stored' } end
  changedEvents[i] = { owner, topic, id, value, old }
end

-- From here on the commit cannot be refused. Writes are collected by key, so that a thousand rows are a few calls.
local added = {}
local function add(key, score, member)
  local list = added[key]
  if not list then
    added[key] = { score, member }
  else
    list[#list + 1] = score
    list[#list + 1] = member
  end
end
local withdrawn = {}
local function withdraw(key, member)
  local list = withdrawn[key]
  if not list then withdrawn[key] = { member } else list[#list + 1] = member end
end

local answer = { 'ok' }
for _, incarnation in ipairs(removals) do
  local keyText = removeExecution(incarnation)
  if keyText then answer[#answer + 1] = keyText end
end

writeRows('HSET', executions, firstReplaced, lastReplaced)
if #inserted > 0 then
  local sequence = redis.call('HINCRBY', counters, 'execution', #inserted) - #inserted
  local origins = {}
  local hot = {}
  local archetypes = {}
  for i, row in ipairs(inserted) do
    local place = digits(sequence + i)
    hot[2 * i - 1] = row.incarnation
    hot[2 * i] = row.value
    origins[2 * i - 1] = row.incarnation
    origins[2 * i] = place .. '\0' .. row.createdAt .. '\0' .. row.keyText
    add(index, '0', indexMember(place, row.keyText, row.incarnation))
    archetypes[i] = row.archetype
  end
  inPieces('HSET', executions, hot)
  inPieces('HSET', births, origins)
  inPieces('SADD', archetypeSet, archetypes)
end
for _, set in ipairs(indexed) do writeRows('ZADD', set[1], set[2], set[3]) end
for _, entry in ipairs(unindexed) do redis.call('ZREM', entry[1], entry[2]) end
writeRows('HSET', attributesOf, firstAttributes, lastAttributes)
inPieces('HDEL', attributesOf, bare)

for _, part in ipairs(dropped) do redis.call('HDEL', partsKey(part[1]), part[2]) end
for _, part in ipairs(parts) do redis.call('HSET', partsKey(part[1]), part[2], part[3]) end

-- A slot of the same identity is removed before the new one is added; there is rarely more than one at a nominal time.
for _, slot in ipairs(slots) do
  local incarnation, nominal, cause, member = slot[1], slot[2], slot[3], slot[4]
  local key = slotsKey(incarnation)
  local beginning = cause .. '\0'
  local hadReach = false
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', key, nominal, nominal)) do
    if string.sub(old, 1, #beginning) == beginning then
      hadReach = slotTimes(old) > 0
      if old ~= member then redis.call('ZREM', key, old) end
    end
  end
  redis.call('ZADD', key, nominal, member)
  local reach = slotTimes(member)
  if reach > 0 then
    redis.call('ZADD', stretchesKey(incarnation), digits(tonumber(nominal) + reach), nominal .. '\0' .. cause)
  elseif hadReach then
    redis.call('ZREM', stretchesKey(incarnation), nominal .. '\0' .. cause)
  end
end

for _, id in ipairs(removedRuns) do forgetRun(id) end

local runRows = {}
local function enterRun(id, run)
  if run.state == 'w' then
    local waiting = waitingKey(run.queue, run.priority)
    if not added[waiting] then add(levelsKey(run.queue), run.priority, run.priority) end
    add(waiting, run.availableAt, id)
  end
  if run.checkAt then add(checked, run.checkAt, id) end
  if run.finishedAt then add(finished, run.finishedAt, id) end
  if run.holder then add(heldKey(run.holder), '0', id) end
  if run.owner and run.isOpen then add(openOfKey(run.owner), run.ordinal, id) end
end
for i = 1, #changedRuns do
  local id = changedRuns[i]
  local old = runHead(storedRun[id])
  local value = digits(tonumber(old.revision) + 1) .. changedRunValues[i]
  local run = runHead(value)
  runRows[#runRows + 1] = id
  runRows[#runRows + 1] = value
  if old.state == 'w' and (run.state ~= 'w' or run.queue ~= old.queue or run.priority ~= old.priority) then
    withdraw(waitingKey(old.queue, old.priority), id)
  end
  if old.checkAt and not run.checkAt then withdraw(checked, id) end
  if old.finishedAt and not run.finishedAt then withdraw(finished, id) end
  if old.owner and old.isOpen and not (run.isOpen and run.owner == old.owner) then
    withdraw(openOfKey(old.owner), id)
  end
  if old.only and not run.only then redis.call('HDEL', takenAliases, old.only) end
  if old.holder and old.holder ~= run.holder then withdraw(heldKey(old.holder), id) end
  if old.owner ~= run.owner then
    if old.owner then withdraw(ownerKey(old.owner), id) end
    if run.owner then add(ownerKey(run.owner), run.ordinal, id) end
  end
  if old.alias ~= run.alias then
    if old.alias then withdraw(aliasKey(old.alias), id) end
    if run.alias then add(aliasKey(run.alias), '0', id) end
  end
  enterRun(id, run)
end
for i = 1, #newRuns do
  local id = newRuns[i]
  local run = newHeads[i]
  runRows[#runRows + 1] = id
  runRows[#runRows + 1] = newRunValues[i]
  if run.only then redis.call('HSET', takenAliases, run.only, id) end
  add(runIds, '0', id)
  add(starts, createdAt[i], id)
  if run.owner then add(ownerKey(run.owner), run.ordinal, id) end
  if run.alias then add(aliasKey(run.alias), '0', id) end
  enterRun(id, run)
end
inPieces('HSET', runs, runRows)

for key, members in pairs(withdrawn) do inPieces('ZREM', key, members) end
for key, members in pairs(added) do inPieces('ZADD', key, members) end

-- A thousand events of one topic are a few calls, like the runs above.
local eventFields = {}
local eventsAdded = {}
local function gather(lists, key, first, second)
  local list = lists[key]
  if not list then list = {} lists[key] = list end
  list[#list + 1] = first
  if second then list[#list + 1] = second end
end
local knownTopics = {}
local function enterEvent(owner, topic, id, value)
  local event = eventHead(value)
  gather(eventFields, eventsKey(owner), topic .. '\0' .. id, value)
  gather(eventsAdded, lineKey(owner, topic, event.state), event.sequence, id)
  if event.holder then redis.call('SADD', heldEventsKey(owner, event.holder), topic .. '\0' .. id) end
  if event.finalAt then gather(eventsAdded, finalEvents, event.finalAt, owner .. '\0' .. topic .. '\0' .. id) end
end
local eventsWithdrawn = {}
for _, event in ipairs(newEvents) do
  local owner, topic = event[1], event[2]
  if not knownTopics[owner .. '\0' .. topic] then
    redis.call('SADD', topicsKey(owner), topic)
    knownTopics[owner .. '\0' .. topic] = true
  end
  enterEvent(owner, topic, event[3], event[4])
end
for _, event in ipairs(changedEvents) do
  local owner, topic, id = event[1], event[2], event[3]
  local old, now = eventHead(event[5]), eventHead(event[4])
  if old.state ~= now.state then gather(eventsWithdrawn, lineKey(owner, topic, old.state), id) end
  if old.holder and old.holder ~= now.holder then
    redis.call('SREM', heldEventsKey(owner, old.holder), topic .. '\0' .. id)
  end
  if old.finalAt and not now.finalAt then redis.call('ZREM', finalEvents, owner .. '\0' .. topic .. '\0' .. id) end
  enterEvent(owner, topic, id, event[4])
end
for key, members in pairs(eventsWithdrawn) do inPieces('ZREM', key, members) end
for key, members in pairs(eventsAdded) do inPieces('ZADD', key, members) end
for key, fields in pairs(eventFields) do inPieces('HSET', key, fields) end

-- Lines of runs.
for _ = 1, takeNumber() do
  local run, before = take(), take()
  redis.call('ZREMRANGEBYLEX', logKey(run), '-', '(' .. before)
end
local lines = {}
for _ = 1, takeNumber() do
  local run, line = take(), take()
  gather(lines, logKey(run), '0', line)
end
for key, members in pairs(lines) do inPieces('ZADD', key, members) end

for _ = 1, takeNumber() do
  local target, at, row = take(), take(), take()
  local sequence = digits(redis.call('HINCRBY', counters, 'audit', 1))
  redis.call('HSET', base .. 'audit', sequence, row)
  redis.call('ZADD', base .. 'audit-order', sequence, at .. '\0' .. sequence .. '\0' .. target)
  redis.call('ZADD', base .. 'audit-of:' .. target, sequence, sequence)
end

-- Rows that the selection postponed and the decision did not write.
local mark = takeNumber()
for _ = 1, takeNumber() do
  local key, member, at = base .. take(), take(), take()
  if tonumber(redis.call('ZSCORE', key, member) or '') == mark then redis.call('ZADD', key, at, member) end
end

-- Listeners are told the keys of removed executions, which only the store knew. Everything is written by now: a user
-- without the right to publish has committed all the same.
local change, isOfInterest = take(), take() == '1'
if isOfInterest or #answer > 1 then
  local message = { change }
  for i = 2, #answer do message[i] = answer[i] end
  redis.pcall('PUBLISH', base .. 'changes', table.concat(message, '\0'))
end
return answer
