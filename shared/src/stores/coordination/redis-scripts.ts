/**
 * KEYS: the windows, the birth of the store, the revisions. ARGV: how many windows, then limit, milliseconds and amount of each.
 * Answers whether it is allowed, used and reset (epoch milliseconds) of each window, and the revisions.
 */
export const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local count = tonumber(ARGV[1])
local limit, length, amount, used, left = {}, {}, {}, {}, {}
local allowed = 1
for i = 1, count do
  limit[i], length[i], amount[i] = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  used[i] = tonumber(redis.call('GET', KEYS[i]) or '0')
  left[i] = redis.call('PTTL', KEYS[i])
  if amount[i] > math.max(0, limit[i] - used[i]) then allowed = 0 end
end
local answer = { allowed }
for i = 1, count do
  if allowed == 1 and amount[i] > 0 then
    used[i] = used[i] + amount[i]
    if left[i] < 0 then
      redis.call('SET', KEYS[i], amount[i], 'PX', length[i])
    else
      redis.call('INCRBY', KEYS[i], amount[i])
    end
  end
  if left[i] < 0 then left[i] = length[i] end
  answer[#answer + 1] = used[i]
  answer[#answer + 1] = now + left[i]
end
if #KEYS > count + 1 then
  local birth = redis.call('GET', KEYS[count + 1])
  if not birth then
    birth = now
    redis.call('SET', KEYS[count + 1], now)
  end
  for i = count + 2, #KEYS do
    answer[#answer + 1] = tonumber(birth) + tonumber(redis.call('GET', KEYS[i]) or '0')
  end
end
return answer
`;

export const bumpScript = `
for i = 1, #KEYS do redis.call('INCR', KEYS[i]) end
return #KEYS
`;

/** When the store began: a revision counts from there, so that none of before a loss of all data is ever met again. */
export const birthKey = 'revision-birth';
