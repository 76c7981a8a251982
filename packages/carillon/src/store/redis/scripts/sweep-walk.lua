-- A piece of the walk over the executions, in the order of the listing. It removes old verdicts of each execution, and all
-- but the newest slots, finished runs and stamps of parts, by count.
--
-- Arguments: after ('' from the start), executions to walk over, rows of each kind that may be removed, slotsBefore, slots to keep,
-- runs to keep, stamps to keep ('' each: not asked for), countedBefore ('' for any); returns the number of rows removed, the index
-- text of the last finished execution, and whether the walk reached its end.
local after, mayWalk, limit = take(), takeNumber(), takeNumber()
local slotsBefore, keepSlots, keepRuns, keepStamps = takeNumber(), takeNumber(), takeNumber(), takeNumber()
local countedBefore = takeNumber() or math.huge

-- The number of examined rows after which a piece ends, however few executions they belonged to: some milliseconds.
local mostLooked = 10000
local looked = 0
local swept = 0
local left = { slots = limit, runs = limit, parts = limit }

local function forgetSlot(incarnation, nominal, member)
  redis.call('ZREM', slotsKey(incarnation), member)
  if slotTimes(member) > 0 then redis.call('ZREM', stretchesKey(incarnation), slotIdentity(nominal, member)) end
end

-- Visits ledger rows from the oldest on until the limit is reached; `wish` says which to remove.
local function sweepSlots(incarnation, howMany, bound, wish)
  local key = slotsKey(incarnation)
  local gone, passed, seen = 0, 0, 0
  while gone < bound and seen < howMany do
    local piece = math.min(500, howMany - seen)
    local rows = redis.call('ZRANGE', key, passed, passed + piece - 1, 'WITHSCORES')
    if #rows == 0 then break end
    for i = 1, #rows, 2 do
      if gone >= bound then break end
      seen = seen + 1
      local nominal = tonumber(rows[i + 1])
      local reach, delay = slotTimes(rows[i])
      if wish(nominal, reach, nominal + delay) then
        forgetSlot(incarnation, digits(nominal), rows[i])
        gone = gone + 1
      else
        passed = passed + 1
      end
    end
  end
  looked = looked + seen
  return gone
end

local function sweepOldSlots(incarnation, bound)
  -- A verdict is never reached before its nominal time, so no row after that time can be old enough.
  local howMany = redis.call('ZCOUNT', slotsKey(incarnation), '-inf', '(' .. digits(slotsBefore))
  return sweepSlots(incarnation, howMany, bound, function(_, _, at) return at < slotsBefore end)
end

local function trimSlots(incarnation, bound)
  local keep = math.max(1, keepSlots)
  local surplus = redis.call('ZCARD', slotsKey(incarnation)) - keep
  if surplus <= 0 then return 0 end
  local edge = tonumber(redis.call('ZRANGE', slotsKey(incarnation), surplus, surplus, 'WITHSCORES')[2])
  return sweepSlots(incarnation, surplus, bound, function(nominal, reach, at)
    return not (reach > 0 and nominal + reach >= edge) and at < countedBefore
  end)
end

-- How many of the oldest runs of an owner come before its newest finished runs that stay. Whether a run is finished, and
-- when, is in the set of finished runs: no row is read, however large its input is.
local function beforeKept(key, count)
  local kept, rank = 0, count
  while rank > 0 and kept < keepRuns do
    local from = math.max(0, rank - 500)
    local ids = redis.call('ZRANGE', key, from, rank - 1)
    for i = #ids, 1, -1 do
      if kept >= keepRuns then break end
      if redis.call('ZSCORE', finished, ids[i]) then kept = kept + 1 end
      rank = rank - 1
    end
    looked = looked + #ids
  end
  return rank
end

-- Rows of removed runs are read once more, for their entries in indexes; this many bytes of them in one script.
local mostBytes = 8 * 1024 * 1024
local function trimRuns(incarnation, bound)
  local key = ownerKey(incarnation)
  local count = redis.call('ZCARD', key)
  if count <= keepRuns then return 0 end
  local surplus = beforeKept(key, count)
  local gone, passed, bytes = 0, 0, 0
  while gone < bound and gone + passed < surplus and passed < mostLooked do
    local ids = redis.call('ZRANGE', key, passed, passed + math.min(500, surplus - gone - passed) - 1)
    if #ids == 0 then break end
    for _, id in ipairs(ids) do
      if gone >= bound then break end
      looked = looked + 1
      local at = tonumber(redis.call('ZSCORE', finished, id) or '')
      if at and at < countedBefore then
        bytes = bytes + redis.call('HSTRLEN', runs, id)
        if bytes > mostBytes and gone > 0 then return gone, true end
        forgetRun(id)
        gone = gone + 1
      else
        passed = passed + 1
      end
    end
  end
  return gone
end

local function trimParts(incarnation, bound)
  local keep = math.max(1, keepStamps)
  local key = partsKey(incarnation)
  if redis.call('HLEN', key) <= keep then return 0 end
  local byName = {}
  for _, field in ipairs(redis.call('HKEYS', key)) do
    local name, stamp = string.match(field, '^(.*)%z([^%z]*)$')
    byName[name] = byName[name] or {}
    table.insert(byName[name], tonumber(stamp))
    looked = looked + 1
  end
  local gone = 0
  for name, stamps in pairs(byName) do
    table.sort(stamps)
    for i = 1, math.min(#stamps - keep, bound - gone) do
      redis.call('HDEL', key, name .. '\0' .. digits(stamps[i]))
      gone = gone + 1
    end
  end
  return gone
end

-- False when there may be more to remove.
local function within(kind, work, incarnation)
  local bound = left[kind]
  if bound <= 0 then return false end
  local gone, isCut = work(incarnation, bound)
  left[kind] = bound - gone
  swept = swept + gone
  return gone < bound and not isCut
end

local members = redis.call('ZRANGEBYLEX', index, after == '' and '-' or '(' .. after .. '\255', '+', 'LIMIT', 0, mayWalk)
local last = after
for _, member in ipairs(members) do
  local incarnation = string.match(member, '%z([^%z]*)$')
  local isDone = true
  if slotsBefore and not within('slots', sweepOldSlots, incarnation) then isDone = false end
  if keepSlots and redis.call('ZCARD', slotsKey(incarnation)) > keepSlots
    and not within('slots', trimSlots, incarnation) then isDone = false end
  if keepRuns and not within('runs', trimRuns, incarnation) then isDone = false end
  if keepStamps and not within('parts', trimParts, incarnation) then isDone = false end
  if not isDone then return { swept, last, 0 } end
  last = member
  if looked > mostLooked then return { swept, last, 0 } end
end
return { swept, last, #members < mayWalk and 1 or 0 }
