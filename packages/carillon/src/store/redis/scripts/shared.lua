-- The beginning of every script. All keys are the hash tag with an ending, so they are in the same slot of a cluster.
-- Two are declared: KEYS[1], the layout, which every store has, and KEYS[2], which never exists. While a cluster moves
-- our slot, some keys are on one server and some on another, and a script could run on neither; with a
-- declared key that is missing, both servers answer TRYAGAIN until the slot has moved, before any script has run.
-- `take` returns the arguments one after the other.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return redis.error_reply('NOLAYOUT no store is here')
end
local base = string.sub(KEYS[1], 1, -7)
local taken = 0
local function take()
  taken = taken + 1
  return ARGV[taken]
end
local function takeNumber()
  return tonumber(take())
end

-- Instants are passed as digits: Lua itself would round them to 14 digits.
local function digits(number)
  return string.format('%.0f', number)
end

-- The only `now`: given by a test, otherwise read from the server.
local function takeNow()
  local given = take()
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Lua passes at most 8000 values to one call; the number is even, because some values come in pairs.
local most = 4000
local function inPieces(command, key, values)
  for first = 1, #values, most do
    redis.call(command, key, unpack(values, first, math.min(first + most - 1, #values)))
  end
end
local function fetch(key, fields)
  if #fields == 0 then return {} end
  if #fields <= most then return redis.call('HMGET', key, unpack(fields)) end
  local found = {}
  for first = 1, #fields, most do
    local piece = redis.call('HMGET', key, unpack(fields, first, math.min(first + most - 1, #fields)))
    for i = 1, #piece do found[first + i - 1] = piece[i] end
  end
  return found
end

local executions = base .. 'executions'
local births = base .. 'births'
local attributesOf = base .. 'attributes'
local index = base .. 'index'
local closed = base .. 'closed'
local archetypeSet = base .. 'archetypes'
local runs = base .. 'runs'
local runIds = base .. 'run-ids'
-- All runs by the time at which they were created.
local starts = base .. 'starts'
local checked = base .. 'checked'
local finished = base .. 'finished'
local counters = base .. 'counters'
local finalEvents = base .. 'final-events'
-- The unfinished run of each exclusive alias.
local takenAliases = base .. 'taken'
local function dueKey(archetype) return base .. 'due:' .. archetype end
local function partsKey(incarnation) return base .. 'parts:' .. incarnation end
local function slotsKey(incarnation) return base .. 'slots:' .. incarnation end
local function stretchesKey(incarnation) return base .. 'stretches:' .. incarnation end
-- Unfinished runs of an execution, by their ordinal.
local function openOfKey(owner) return base .. 'open-of:' .. owner end
local function heldKey(worker) return base .. 'held:' .. worker end
local function ownerKey(owner) return base .. 'owner:' .. owner end
local function aliasKey(alias) return base .. 'alias:' .. alias end
local function eventsKey(incarnation) return base .. 'events:' .. incarnation end
local function topicsKey(incarnation) return base .. 'topics:' .. incarnation end
local function lineKey(incarnation, topic, state) return base .. 'line:' .. incarnation .. '\0' .. topic .. '\0' .. state end
local function heldEventsKey(incarnation, run) return base .. 'held-events:' .. incarnation .. '\0' .. run end
local function logKey(run) return base .. 'log:' .. run end
local function levelsKey(queue) return base .. 'levels:' .. queue end
local function waitingKey(queue, priority) return base .. 'waiting:' .. queue .. '\0' .. priority end

-- The beginning of a stored execution: version, then 'o' or 'c'.
local function executionHead(value)
  local version, status = string.match(value, '^(%d+)%z(%a)')
  return tonumber(version), status
end

-- The creation of an execution: its number in order of creation, its time, its key as text (namespace, archetype and id).
local function birthOf(value)
  return string.match(value, '^(%d+)%z(-?%d+)%z(.*)$')
end

local function indexMember(sequence, keyText, incarnation)
  return keyText .. '\0' .. string.format('%016.0f', tonumber(sequence)) .. '\0' .. incarnation
end

-- The newest incarnation under a key, or nil. The index orders those of one key by their creation.
local function newestOf(keyText)
  local found = redis.call('ZREVRANGEBYLEX', index, '[' .. keyText .. '\0\255', '[' .. keyText .. '\0', 'LIMIT', 0, 1)
  if #found == 0 then return nil end
  return string.sub(found[1], #keyText + 19)
end

-- The columns of a stored run that are indexed. Optional texts begin with '=', absent ones are empty.
local runPattern =
  '^(%d+)%z(%a)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z([^%z]*)%z'
local function runHead(value)
  local revision, state, priority, queue, owner, alias, ordinal, availableAt, checkAt, finishedAt, worker, namespace, exclusive, name =
    string.match(value, runPattern)
  return {
    revision = revision,
    state = state,
    priority = priority,
    queue = queue,
    namespace = namespace,
    name = name,
    owner = owner ~= '' and string.sub(owner, 2) or nil,
    alias = alias ~= '' and string.sub(alias, 2) or nil,
    ordinal = ordinal,
    isOpen = state ~= 'd',
    availableAt = availableAt,
    checkAt = checkAt ~= '' and state ~= 'd' and checkAt or nil,
    finishedAt = finishedAt ~= '' and state == 'd' and finishedAt or nil,
    holder = state == 'l' and worker or nil,
    -- The exclusive alias with its namespace, which an unfinished run has for itself.
    only = exclusive == 'x' and alias ~= '' and state ~= 'd' and namespace .. '\0' .. string.sub(alias, 2) or nil,
  }
end

local function forgetRun(id)
  local value = redis.call('HGET', runs, id)
  if not value then return end
  local run = runHead(value)
  redis.call('HDEL', runs, id)
  redis.call('UNLINK', logKey(id))
  redis.call('ZREM', runIds, id)
  redis.call('ZREM', starts, id)
  redis.call('ZREM', finished, id)
  redis.call('ZREM', checked, id)
  if run.state == 'w' then redis.call('ZREM', waitingKey(run.queue, run.priority), id) end
  if run.holder then redis.call('ZREM', heldKey(run.holder), id) end
  if run.owner then
    redis.call('ZREM', ownerKey(run.owner), id)
    redis.call('ZREM', openOfKey(run.owner), id)
  end
  if run.alias then redis.call('ZREM', aliasKey(run.alias), id) end
  if run.only then redis.call('HDEL', takenAliases, run.only) end
end

-- The columns of a stored event that are indexed; see `event-codec.ts`.
local function eventHead(value)
  local sequence, state, holder, changedAt = string.match(value, '^([^%z]*)%z(%a)%z([^%z]*)%z([^%z]*)%z')
  return {
    sequence = sequence,
    state = state,
    holder = state == 'r' and holder ~= '' and string.sub(holder, 2) or nil,
    finalAt = (state == 'c' or state == 's') and changedAt or nil,
  }
end

-- Removes the events of an execution. Its entries in the index of final events stay until retention meets them.
local function removeEvents(incarnation)
  for _, topic in ipairs(redis.call('SMEMBERS', topicsKey(incarnation))) do
    for _, id in ipairs(redis.call('ZRANGE', lineKey(incarnation, topic, 'r'), 0, -1)) do
      local value = redis.call('HGET', eventsKey(incarnation), topic .. '\0' .. id)
      local holder = value and eventHead(value).holder
      if holder then redis.call('UNLINK', heldEventsKey(incarnation, holder)) end
    end
    for _, state in ipairs({ 'p', 'r', 'c', 's' }) do redis.call('UNLINK', lineKey(incarnation, topic, state)) end
  end
  redis.call('UNLINK', eventsKey(incarnation), topicsKey(incarnation))
end

-- Removes an execution with its parts, slots and events; returns its key as text, or nil when there is none.
local function removeExecution(incarnation)
  local birth = redis.call('HGET', births, incarnation)
  if not birth then return nil end
  local sequence, _, keyText = birthOf(birth)
  local archetype = string.match(keyText, '^[^%z]*%z([^%z]*)%z')
  redis.call('HDEL', executions, incarnation)
  redis.call('HDEL', births, incarnation)
  redis.call('HDEL', attributesOf, incarnation)
  redis.call('ZREM', index, indexMember(sequence, keyText, incarnation))
  redis.call('ZREM', dueKey(archetype), incarnation)
  redis.call('ZREM', closed, incarnation)
  removeEvents(incarnation)
  redis.call('UNLINK', partsKey(incarnation), slotsKey(incarnation), stretchesKey(incarnation))
  return keyText
end

-- A ledger row: cause, nominal time, the distance from it to its end, and the distance to its verdict.
local function slotTimes(member)
  local reach, delay = string.match(member, '^[^%z]*%z[^%z]*%z([^%z]*)%z([^%z]*)%z')
  return reach == '' and 0 or tonumber(reach), tonumber(delay)
end
local function slotIdentity(nominal, member)
  return nominal .. '\0' .. string.match(member, '^([^%z]*)%z')
end

-- Queues and what the caller knows of each: how many queues, a namespace ('': every one), then each queue, how many names
-- (−1: every one), which. `isKnown` is nil for a queue whose runs are all known.
local function takeQueues()
  local count, namespace = takeNumber(), take()
  local queues = {}
  for i = 1, count do
    local queue, size = take(), takeNumber()
    local names
    if size >= 0 then
      names = {}
      for _ = 1, size do names[take()] = true end
    end
    local isKnown
    if namespace ~= '' or names then
      isKnown = function(value)
        local run = runHead(value)
        return (namespace == '' or run.namespace == namespace) and (not names or names[run.name])
      end
    end
    queues[i] = { queue = queue, isKnown = isKnown }
  end
  return queues
end
