-- The stretches of a ledger that began before a time and reach it. Arguments: incarnation, time; returns (member, nominal).
local incarnation, time = take(), take()
local rows = {}
for _, identity in ipairs(redis.call('ZRANGEBYSCORE', stretchesKey(incarnation), time, '+inf')) do
  local nominal, cause = string.match(identity, '^([^%z]*)%z(.*)$')
  if tonumber(nominal) < tonumber(time) then
    local beginning = cause .. '\0'
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', slotsKey(incarnation), nominal, nominal)) do
      if string.sub(member, 1, #beginning) == beginning then
        rows[#rows + 1] = member
        rows[#rows + 1] = nominal
      end
    end
  end
end
return rows
