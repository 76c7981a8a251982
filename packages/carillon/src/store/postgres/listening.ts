/**
 * A connection of its own, outside the pool, on which a node hears what others say. In peace nothing is heard on it for
 * hours, and a lost server says nothing either: only questions tell one from the other, so it is asked every few seconds.
 */
import type { Clock } from '../../base/clock.ts';
import { addTime } from '../../base/time.ts';
import { type SilenceWatch, socketOf } from './silence-watch.ts';

/** A notification, as the driver hands it over. */
export interface Heard {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** The part of the driver's `Client` that is used here. */
export interface ListeningClient {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'error' | 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: Heard) => void): unknown;
}

export interface ListeningOptions {
  readonly client: ListeningClient;
  readonly channel: string;
  readonly heard: (message: Heard) => void;
  /** The connection is over; called once. */
  readonly lost: () => void;
  readonly silence: SilenceWatch;
  readonly timer: Clock;
}

/** Between two questions, and how long the answer may take. */
const heartbeatMs = 5000;

/** Connects and listens; resolves with a function that ends it. */
export async function openListening(options: ListeningOptions): Promise<() => Promise<void>> {
  const { client, channel, heard, lost } = options;
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    lost();
  };
  client.on('error', end);
  client.on('end', end);
  client.on('notification', heard);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
  } catch (error) {
    isOver = true;
    void client.end().catch(() => {});
    throw error;
  }
  const stopAsking = keepAsking(options);
  return async () => {
    isOver = true;
    stopAsking();
    await client.end();
  };
}

function keepAsking({ client, silence, timer }: ListeningOptions): () => void {
  const socket = socketOf(client);
  if (socket === undefined) return () => {};
  silence.add(socket);
  let cancel = () => {};
  const ask = () => {
    silence.lend(socket, heartbeatMs);
    client.query('select 1').then(
      () => {
        silence.giveBack(socket);
        plan();
      },
      // The connection is over, which its own events tell.
      () => silence.giveBack(socket),
    );
  };
  let isEnded = false;
  const plan = () => {
    if (!isEnded) cancel = timer.wakeAt(addTime(timer.now(), heartbeatMs), ask);
  };
  const stop = () => {
    isEnded = true;
    cancel();
  };
  socket.once('close', stop);
  plan();
  return stop;
}
