/** Schedules of a store that this command opens for reading only: nothing is started, so nothing runs. */
import type { Instant } from '../base/time.ts';
import { internalsOf } from '../embed/internals.ts';
import { openCarillon } from '../main.ts';
import type { Live } from './live.ts';
import { storeUrl } from './store-url.ts';

const page = 1000;

export async function openFile(store: string, namespace = 'default'): Promise<Live> {
  const url = storeUrl(store);
  const carillon = await openCarillon({ store: url });
  const service = internalsOf(carillon).services.schedules;
  const name = (id: string) => ({ namespace, id });
  return {
    isLive: false,
    where: url,
    all: async () => {
      const found = [];
      let after: string | null = null;
      do {
        const listed = await service.list({ namespace, limit: page, include: 'payloads', ...paging(after) });
        found.push(...listed.items);
        after = listed.next;
      } while (after !== null);
      return found;
    },
    get: async (id) => await service.describe(name(id)),
    history: async (id) => await service.history(name(id)),
    slots: async (id) => {
      const rows = [];
      let after: string | null = null;
      do {
        const found = await service.slots(name(id), { order: 'ascending', limit: page, ...paging(after) });
        rows.push(...found.items);
        after = found.next;
      } while (after !== null);
      return rows.map(({ detail, ...row }) => ({
        ...row,
        uncounted: detail !== null && (JSON.parse(detail) as { uncounted?: true }).uncounted === true,
      }));
    },
    runs: async (id, most) => {
      const rows = [];
      let after: string | null = null;
      do {
        const limit = Math.min(page, most - rows.length);
        const found = await service.runs(name(id), { limit, ...paging(after) });
        rows.push(...found.items);
        after = found.next;
      } while (after !== null && rows.length < most);
      return rows.map(({ id: run, options, state, createdAt, startedAt, finishedAt }) => {
        const { nominal = null, cause = null } = JSON.parse(options) as { nominal?: Instant; cause?: string };
        return { id: run, nominal, cause, createdAt, isDone: state === 'done', startedAt, finishedAt };
      });
    },
    close: async () => await carillon.stop(),
  };
}

function paging(after: string | null) {
  return after === null ? {} : { after };
}
