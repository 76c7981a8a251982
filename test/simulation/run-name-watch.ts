/**
 * One run per slot and one unfinished run per exclusive alias, checked at every commit: an automatic run is the first of its slot,
 * and no run of a slot begins beside an unfinished one.
 */
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { runId } from '../../packages/carillon/src/runs/run-id.ts';
import type { WaitingStart } from '../../packages/carillon/src/scheduler/buffered-start.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import type { Writes } from '../../packages/carillon/src/store/store.ts';

interface Identity {
  readonly nominal: Instant;
  readonly cause: string;
}

export class RunNameWatch {
  readonly #unfinished = new Set<string>();
  /** The unfinished run of each exclusive alias. */
  readonly #aliases = new Map<string, string>();
  /** The runs of each slot, in order of start. */
  readonly #slots = new Map<string, string[]>();

  look({ newRuns = [], runs = [] }: Writes): string[] {
    for (const run of runs) this.#note(run);
    return newRuns.flatMap((run) => this.#insert(run));
  }

  /** A start that waits for a run of its slot waits for an unfinished one. */
  checkBehind(waiting: readonly WaitingStart[]): string[] {
    return waiting.flatMap(({ behind, nominal }) =>
      behind === undefined || this.#unfinished.has(behind)
        ? []
        : [`${nominal} waits for ${behind}, which is over`],
    );
  }

  #insert(run: RunRow): string[] {
    const problems: string[] = [];
    const alias = aliasOf(run);
    const holder = alias === undefined ? undefined : this.#aliases.get(alias);
    if (holder !== undefined) problems.push(`${run.id} has the alias ${run.alias} beside ${holder}`);
    const { nominal, cause } = JSON.parse(run.options) as Identity;
    const isTimeless = run.id === runId(nominal, `${run.owner}/${cause}/${nominal}`);
    if (!isTimeless) {
      const slot = `${run.owner} ${nominal}`;
      const before = this.#slots.get(slot) ?? [];
      if (cause === 'auto' && before.length > 0) problems.push(`${run.id} is not the first of its slot`);
      const open = before.filter((id) => this.#unfinished.has(id));
      if (open.length > 0) problems.push(`${run.id} begins beside ${open} of the same slot`);
      this.#slots.set(slot, [...before, run.id]);
    }
    this.#note(run);
    return problems;
  }

  #note(run: RunRow): void {
    const alias = aliasOf(run);
    if (run.state === 'done') {
      this.#unfinished.delete(run.id);
      if (alias !== undefined) this.#aliases.delete(alias);
      return;
    }
    this.#unfinished.add(run.id);
    if (alias !== undefined) this.#aliases.set(alias, run.id);
  }
}

function aliasOf({ namespace, alias, exclusive }: RunRow): string | undefined {
  return exclusive && alias !== null ? `${namespace} ${alias}` : undefined;
}
