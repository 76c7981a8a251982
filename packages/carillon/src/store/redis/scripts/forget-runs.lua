-- Removes those of the given runs that are finished. Arguments: ids; returns the number removed.
local gone = 0
for _, id in ipairs(ARGV) do
  if redis.call('ZSCORE', finished, id) then
    forgetRun(id)
    gone = gone + 1
  end
end
return gone
