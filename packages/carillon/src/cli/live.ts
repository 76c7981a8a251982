/** The present schedules, read from a server or from a store that no process has open. */

import type { Instant } from '../base/time.ts';
import type { SummaryJson } from '../client/index.ts';
import type { VerifyMaterial, VerifyRun, VerifySlot } from '../doctor/index.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import type { RemoteOptions } from './remote.ts';
import { remoteOptions } from './remote.ts';

export interface LiveSummary extends Pick<SummaryJson, 'id' | 'policy' | 'action' | 'owner'> {
  readonly namespace: string;
  readonly spec: ScheduleSpec;
}

export type LiveHistory = Pick<
  VerifyMaterial,
  'now' | 'createdAt' | 'closedAt' | 'cursor' | 'waiting' | 'versions'
>;

export interface LiveRun extends VerifyRun {
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
}

export interface Live {
  /** Whether a node works on the schedules. */
  readonly isLive: boolean;
  readonly where: string;
  /** All schedules of the namespace, by id, with their inputs, which rules check as well. */
  all(): Promise<readonly LiveSummary[]>;
  get(id: string): Promise<LiveSummary>;
  history(id: string): Promise<LiveHistory>;
  /** The whole ledger, by nominal time. */
  slots(id: string): Promise<readonly VerifySlot[]>;
  /** The newest runs, at most `most`. */
  runs(id: string, most: number): Promise<readonly LiveRun[]>;
  close(): Promise<void>;
}

export interface LiveOptions extends RemoteOptions {
  readonly db?: string;
}

export function liveOptions(command: Command): Command {
  return remoteOptions(command).option(
    '--db <store>',
    'read a store that no server has open, instead: sqlite:./carillon.db, or the path of a copy',
  );
}

export async function openLive(context: Context, options: LiveOptions): Promise<Live> {
  if (options.db !== undefined) {
    const { openFile } = await import('./live-file.ts');
    return await openFile(options.db, options.namespace ?? context.env?.CARILLON_NAMESPACE);
  }
  const { openRemote } = await import('./live-remote.ts');
  return openRemote(context, options);
}

/** The named schedules, or all of them. */
export async function chosen(live: Live, ids: readonly string[]): Promise<readonly LiveSummary[]> {
  if (ids.length === 0) return await live.all();
  const found: LiveSummary[] = [];
  for (const id of new Set(ids)) found.push(await live.get(id));
  return found;
}

/** The default seed of jitter and `H`. */
export function seedOf({ namespace, id }: Pick<LiveSummary, 'namespace' | 'id'>): string {
  return `${namespace}-${id}`;
}
