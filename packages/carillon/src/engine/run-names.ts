/**
 * Which ids and exclusive aliases of runs are in use, as far as one decision knows: those that the store named when it refused
 * the decision before this one, and those that the decision itself has given to runs so far.
 *
 * A decision cannot ask the store, because the names depend on what it decides. It assumes that its names are free; if the store
 * refuses the commit, it decides again with the names that are taken. Without a collision this costs nothing.
 */
import type { TakenName } from '../store/error.ts';
import type { ExecutionRow, RunRow } from '../store/records.ts';

/** The run that has a name. */
export interface NameHolder {
  readonly runId: string;
  readonly finished: boolean;
}

interface Refusal extends NameHolder {
  /** The versions of the executions that the refused decision was made over. */
  readonly versions: ReadonlyMap<string, number>;
}

export type RowVersion = Pick<ExecutionRow, 'incarnation' | 'version'>;

/** The names that the store refused, over all attempts at one transaction. */
export class RefusedNames {
  readonly #names: ReadonlyMap<string, Refusal>;

  private constructor(names: ReadonlyMap<string, Refusal>) {
    this.#names = names;
  }

  static readonly none = new RefusedNames(new Map());

  /** Adds the names of another refusal; undefined when it says nothing that the refused decision did not know already. */
  with(taken: readonly TakenName[], rows: readonly RowVersion[]): RefusedNames | undefined {
    const versions = new Map(rows.map(({ incarnation, version }) => [incarnation, version]));
    const names = new Map(this.#names);
    let isNew = false;
    for (const name of taken) {
      const key = 'id' in name ? idKey(name.id) : aliasKey(name.namespace, name.alias);
      const finished = 'id' in name && name.finished;
      const known = names.get(key);
      isNew ||= known === undefined || known.finished !== finished || !isSame(known.versions, versions);
      names.set(key, { runId: 'id' in name ? name.id : name.runId, finished, versions });
    }
    return isNew ? new RefusedNames(names) : undefined;
  }

  /**
   * The end of a run is written together with the execution that owns it. So a run was still unfinished if the execution is at
   * the version of the refusal; otherwise the name is worth another try.
   */
  holderOf(key: string, row: RowVersion | undefined): NameHolder | undefined {
    const holder = this.#names.get(key);
    if (holder === undefined || holder.finished || row === undefined) return holder;
    return holder.versions.get(row.incarnation) === row.version ? holder : undefined;
  }
}

interface GivenName extends NameHolder {
  readonly incarnation: string;
  /** Another execution was decided differently because of it. */
  isNoticed: boolean;
}

/** The names as one attempt at a decision sees them. */
export class RunNames {
  readonly #refused: RefusedNames;
  /** The names of exclusive runs that this decision starts; other runs have ids that only their owner makes. */
  #given: Map<string, GivenName> | undefined;

  constructor(refused: RefusedNames) {
    this.#refused = refused;
  }

  /** The run that has an id, as the execution of the row sees it. */
  holderOfId(id: string, row: RowVersion | undefined, incarnation: string): NameHolder | undefined {
    return this.#isUnused ? undefined : this.#holderOf(idKey(id), row, incarnation);
  }

  /** The unfinished run that has an exclusive alias. */
  holderOfAlias(
    { namespace, alias }: { readonly namespace: string; readonly alias: string },
    row: RowVersion | undefined,
    incarnation: string,
  ): NameHolder | undefined {
    return this.#isUnused ? undefined : this.#holderOf(aliasKey(namespace, alias), row, incarnation);
  }

  /** The run of an execution is to be inserted: its names are no longer free for others in this decision. */
  give({ id, namespace, alias, exclusive }: RunRow, incarnation: string): void {
    if (!exclusive || alias === null) return;
    this.#given ??= new Map();
    const name: GivenName = { runId: id, finished: false, incarnation, isNoticed: false };
    this.#given.set(idKey(id), name);
    this.#given.set(aliasKey(namespace, alias), name);
  }

  /** Whether an execution was decided differently because of the names of one that failed, and whose run therefore is not inserted. */
  isMisled(failed: ReadonlyMap<string, unknown>): boolean {
    for (const { incarnation, isNoticed } of this.#given?.values() ?? [])
      if (isNoticed && failed.has(incarnation)) return true;
    return false;
  }

  /** True for nearly every decision: no name has been refused or given. */
  get #isUnused(): boolean {
    return this.#given === undefined && this.#refused === RefusedNames.none;
  }

  #holderOf(key: string, row: RowVersion | undefined, incarnation: string): NameHolder | undefined {
    const given = this.#given?.get(key);
    if (given === undefined) return this.#refused.holderOf(key, row);
    if (given.incarnation !== incarnation) given.isNoticed = true;
    return given;
  }
}

/** The names of a decision that starts no run. */
export const noNames = new RunNames(RefusedNames.none);

function idKey(id: string): string {
  return `id\0${id}`;
}

function aliasKey(namespace: string, alias: string): string {
  return `alias\0${namespace}\0${alias}`;
}

function isSame(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  if (a.size !== b.size) return false;
  for (const [incarnation, version] of a) if (b.get(incarnation) !== version) return false;
  return true;
}
