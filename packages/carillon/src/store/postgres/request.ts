/** One request to `transact`, from the call to its answer. */
import { changeOf } from '../change.ts';
import { type LoadedRows, loadedRows } from '../loaded.ts';
import type { ExecutionKey, ExecutionRow, RunRow } from '../records.ts';
import type { CommittedChange, Decider, Decision, Needs, Selection, Writes } from '../store.ts';

export interface Selected {
  readonly executions: readonly ExecutionRow[];
  readonly runs: readonly RunRow[];
}

const noNeeds: Needs = { parts: [] };

export class DecisionRequest<T> {
  readonly selection: Selection;
  readonly outcome: Promise<T>;
  readonly #resolve: (result: T) => void;
  readonly #reject: (error: unknown) => void;
  readonly #decider: Decider<T>;
  #decision: Decision<T> | null = null;
  /** A request that is answered takes no part in a repetition. */
  isAnswered = false;

  constructor(selection: Selection, decider: Decider<T>) {
    this.selection = selection;
    this.#decider = decider;
    let resolve!: (result: T) => void;
    let reject!: (error: unknown) => void;
    this.outcome = new Promise<T>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    this.#resolve = resolve;
    this.#reject = reject;
  }

  need({ executions, runs }: Selected): Needs {
    return this.#decider.need?.(executions, runs) ?? noNeeds;
  }

  decide({ parts, events, ...rows }: LoadedRows): Writes {
    this.#decision = this.#decider.decide(loadedRows(rows, parts, events));
    return this.#decision.writes;
  }

  /** The change for listeners, once the commit is done. */
  changed(removed: ReadonlyMap<string, ExecutionKey>): CommittedChange | null {
    const { writes } = this.#decision as Decision<T>;
    const keys = (writes.remove ?? []).map((incarnation) => removed.get(incarnation));
    return changeOf(
      writes,
      keys.filter((key) => key !== undefined),
    );
  }

  /** Rejects the caller's promise with an error for the caller. */
  fail(error: unknown): void {
    this.isAnswered = true;
    this.#reject(error);
  }

  succeed(): void {
    this.isAnswered = true;
    this.#resolve((this.#decision as Decision<T>).result);
  }
}

/** Results go to their own callers; the code that handles requests together does not depend on their type. */
export type AnyRequest = Pick<
  DecisionRequest<never>,
  'selection' | 'isAnswered' | 'fail' | 'need' | 'decide' | 'changed' | 'succeed'
>;
