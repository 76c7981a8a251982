/**
 * A connection outside the pool on which a node receives notifications. Without commits it is silent for
 * hours, and a lost server is silent too: only a query tells the two apart, so the node sends one every few seconds.
 */
import type { Clock } from '../../base/clock.ts';
import { addTime } from '../../base/time.ts';
import { type SilenceWatch, socketOf } from './silence-watch.ts';

/** A notification, as the driver hands it over. */
export interface Notification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** The part of the driver's `Client` that is used here. */
export interface ListeningClient {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'error' | 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: Notification) => void): unknown;
}

export interface ListeningOptions {
  readonly client: ListeningClient;
  readonly channel: string;
  readonly heard: (message: Notification) => void;
  /** Called once, when the connection has ended. */
  readonly lost: () => void;
  readonly silence: SilenceWatch;
  readonly timer: Clock;
}

/** The interval between two queries, and how long the answer may take. */
const heartbeatMs = 5000;

/** Connects and listens; resolves with a function that ends the connection. */
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
      // The connection has ended, which its own events report.
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
