-- A piece of a ledger. Arguments: incarnation, order, from, to, how many of the first to skip, limit;
-- returns (member, nominal).
local key, order, from, to, offset, limit = slotsKey(take()), take(), take(), take(), take(), take()
if order == 'ascending' then
  return redis.call('ZRANGEBYSCORE', key, from, to, 'WITHSCORES', 'LIMIT', offset, limit)
end
return redis.call('ZREVRANGEBYSCORE', key, to, from, 'WITHSCORES', 'LIMIT', offset, limit)
