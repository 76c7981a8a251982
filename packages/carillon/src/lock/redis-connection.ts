/**
 * All we ask of a Redis client, so that nobody has to install ours: an `ioredis` instance fits as it is; for `redis`
 * (node-redis) write `{ call: (...words) => client.sendCommand(words.map(String)) }`.
 */
export interface RedisConnection {
  call(command: string, ...words: (string | number)[]): Promise<unknown>;
}
