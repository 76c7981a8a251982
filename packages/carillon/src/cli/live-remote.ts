/** Schedules of a server, through its REST API. */

import { type Instant, parseInstant } from '../base/time.ts';
import type { HistoryJson, RunJson, SlotJson } from '../client/index.ts';
import type { VerifySlot } from '../doctor/index.ts';
import type { Context } from './context.ts';
import type { Live, LiveHistory, LiveRun } from './live.ts';
import { clientOf, type RemoteOptions, serverOf } from './remote.ts';

/** The rows of one page: the most that a server returns. */
const page = 1000;

export function openRemote(context: Context, options: RemoteOptions): Live {
  const { schedules } = clientOf(context, options);
  return {
    isLive: true,
    where: serverOf(context, options),
    all: async () => {
      const found = [];
      for await (const each of schedules.each({ limit: page, include: 'payloads' })) found.push(each);
      return found;
    },
    get: async (id) => await schedules.describe(id),
    history: async (id) => historyOf(await schedules.versions(id)),
    slots: async (id) => {
      const rows: VerifySlot[] = [];
      let after: string | undefined;
      do {
        const found = await schedules.slots(id, { order: 'ascending', limit: page, ...paging(after) });
        rows.push(...found.items.map(slotOf));
        after = found.next ?? undefined;
      } while (after !== undefined);
      return rows;
    },
    runs: async (id, most) => {
      const rows: LiveRun[] = [];
      let after: string | undefined;
      do {
        const limit = Math.min(page, most - rows.length);
        const found = await schedules.runs(id, { limit, ...paging(after) });
        rows.push(...found.items.map(runOf));
        after = found.next ?? undefined;
      } while (after !== undefined && rows.length < most);
      return rows;
    },
    close: async () => {},
  };
}

function paging(after: string | undefined) {
  return after === undefined ? {} : { after };
}

function historyOf({ now, createdAt, closedAt, cursor, waiting, versions }: HistoryJson): LiveHistory {
  return {
    now: timeOf(now),
    createdAt: timeOf(createdAt),
    closedAt: closedAt === null ? null : timeOf(closedAt),
    cursor: timeOf(cursor),
    waiting: waiting.map(({ nominal, cause }) => ({ nominal: timeOf(nominal), cause })),
    versions: versions.map(({ at, paused, ...version }) => ({
      ...version,
      at: timeOf(at),
      paused: paused === null ? null : { at: timeOf(paused.at) },
    })),
  };
}

function slotOf({ nominal, until, at, detail, ...slot }: SlotJson): VerifySlot {
  const uncounted = detail !== null && detail.uncounted === true;
  return { ...slot, nominal: timeOf(nominal), until: timeOf(until), at: timeOf(at), uncounted };
}

function runOf({ id, cause, scheduledAt, state, createdAt, startedAt, finishedAt }: RunJson): LiveRun {
  return {
    id,
    cause,
    nominal: scheduledAt === null ? null : timeOf(scheduledAt),
    createdAt: timeOf(createdAt),
    isDone: state === 'done',
    startedAt: startedAt === null ? null : timeOf(startedAt),
    finishedAt: finishedAt === null ? null : timeOf(finishedAt),
  };
}

function timeOf(text: string): Instant {
  const at = parseInstant(text);
  if (at === undefined) throw new Error(`the server sent an invalid time: ${text}`);
  return at;
}
