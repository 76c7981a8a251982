/** The handlers of `carillon dev --handlers`: loaded at the start and again whenever a file beside them changes. */
import { watch } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
import type { Carillon } from 'carillon';
import type { Clock } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import { loadHandlers } from './handlers-module.ts';

export interface WatchedHandlers {
  /** The names of the handlers at the start. */
  readonly names: readonly string[];
  close(): void;
}

export interface WatchOptions {
  readonly carillon: Carillon;
  readonly file: string;
  readonly clock: Clock;
  /** Receives one line for each reload. */
  readonly report: (line: string) => void;
}

/** An editor writes a file in several steps. */
const settleMs = 50;
const sources = /\.(?:[cm]?[jt]sx?|json)$/;

export async function watchHandlers(options: WatchOptions): Promise<WatchedHandlers> {
  const { carillon, clock, report } = options;
  const file = resolve(options.file);
  const load = async () => {
    const register = await loadHandlers(file, { fresh: true });
    return await carillon.reloadHandlers(() => register(carillon));
  };
  const { handlers: names } = await load();
  let loading = Promise.resolve();
  const reload = () => {
    loading = loading.then(load).then(
      ({ handlers, removed }) => {
        const gone = removed.length === 0 ? '' : `; removed: ${removed.join(', ')}`;
        report(`${basename(file)} reloaded: ${handlers.join(', ')}${gone}`);
      },
      // The previous handlers stay in use.
      (error: Error) => report(`${basename(file)} not reloaded: ${error.message}`),
    );
  };
  let cancel = () => {};
  const watcher = watch(dirname(file), { recursive: true }, (_, changed) => {
    if (changed === null || !sources.test(changed) || changed.split(sep).includes('node_modules')) return;
    cancel();
    cancel = clock.wakeAt(addTime(clock.now(), settleMs), reload);
  });
  return {
    names,
    close: () => {
      cancel();
      watcher.close();
    },
  };
}
