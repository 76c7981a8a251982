/**
 * The part of a Redis client that Carillon needs, so that users can bring any client. An `ioredis` instance fits as
 * it is; for `redis` (node-redis) write `{ call: (...words) => client.sendCommand(words.map(String)) }`.
 */
export interface RedisConnection {
  call(command: string, ...words: (string | number)[]): Promise<unknown>;
}
