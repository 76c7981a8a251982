import { expect, test } from 'vitest';
import { troubleOf } from './trouble.ts';

test.each([
  ['Connection is closed.', 'the connection is lost and is being made again'],
  ["Stream isn't writeable and enableOfflineQueue options is false", 'the connection is lost'],
  ["Socket timeout. Expecting data, but didn't receive any in 15000ms.", 'has not answered for 15 s'],
  ['connect ECONNREFUSED 127.0.0.1:6379', 'no server listens at this address'],
  ['getaddrinfo ENOTFOUND redis', 'the name of the host is not known'],
  ['All sentinels are unreachable. Retrying from scratch after 10ms.', 'no Sentinel answers'],
  ['NOLAYOUT no store is here', 'Nothing is written'],
  ['Too many Cluster redirections. Last error: ReplyError: TRYAGAIN Multiple keys', 'moving our keys'],
  ['READONLY You can not write against a read only replica.', 'it is a replica and takes no writes'],
])('%s is told in words, with what to do', (message, words) => {
  expect(troubleOf(new Error(message), 'Redis at here')).toMatchObject({
    trouble: 'unavailable',
    message: expect.stringContaining(words),
  });
});
