/** The registered definitions of workflows and task types, one document per name. */
import type { DocumentChange, Store } from 'carillon/internal/archetype';
import { Documents } from 'carillon/internal/archetype';
import type { Instant, Problem } from 'carillon/internal/base';
import { ServiceError } from 'carillon/internal/base';
import type { TaskDefinition, WorkflowDefinition } from './definition.ts';
import { readWorkflowDefinition } from './read-definition.ts';
import { readTaskDefinition } from './read-task-definition.ts';

/** When a definition was first registered (`createTime`) and last replaced (`updateTime`); 0 for never. */
export interface Stamps {
  readonly createTime: Instant | 0;
  readonly updateTime: Instant | 0;
}

export interface RegisteredWorkflowDefinition extends Stamps {
  readonly definition: WorkflowDefinition;
}

export interface RegisteredTaskDefinition extends Stamps {
  readonly definition: TaskDefinition;
}

interface Versions {
  readonly versions: Readonly<Record<string, RegisteredWorkflowDefinition>>;
}

/** The most versions of one name. A program that registers more does so in a loop by mistake. */
const mostVersions = 200;

export class Definitions {
  readonly #workflows: Documents<Versions>;
  readonly #tasks: Documents<RegisteredTaskDefinition>;
  /** Names of registered workflows, in any namespace. */
  readonly #names = new Set<string>();
  #refreshing: Promise<void> | undefined;

  constructor({ store, newId }: { readonly store: Store; readonly newId: () => string }) {
    this.#workflows = new Documents({ store, kind: 'flowDefinition', newId });
    this.#tasks = new Documents({ store, kind: 'flowTaskDefinition', newId });
  }

  /** Registers a workflow; an existing version is replaced only when asked to. */
  async register(
    namespace: string,
    definition: WorkflowDefinition,
    { overwrite, by }: { readonly overwrite: boolean; readonly by: DocumentChange },
  ): Promise<void> {
    const { name, version } = definition;
    await this.#workflows.change(
      namespace,
      name,
      (before, now) => {
        const versions = before?.versions ?? {};
        const old = versions[String(version)];
        if (old !== undefined && !overwrite) {
          const message = `Workflow with ${name}.${version} already exists!`;
          throw new ServiceError({ code: 'alreadyExists', reason: 'ALREADY_EXISTS', message });
        }
        if (old === undefined && Object.keys(versions).length >= mostVersions) {
          const message = `'${name}' has ${mostVersions} versions, the most that are kept; delete some`;
          throw new ServiceError({ code: 'resourceExhausted', reason: 'TOO_MANY_VERSIONS', message });
        }
        const stamps: Stamps =
          old === undefined ? { createTime: now, updateTime: 0 } : { createTime: 0, updateTime: now };
        return { versions: { ...versions, [version]: { definition, ...stamps } } };
      },
      by,
    );
    this.#names.add(name);
  }

  /** Finds a version, or the latest one. */
  async find(
    namespace: string,
    name: string,
    version?: number,
  ): Promise<RegisteredWorkflowDefinition | undefined> {
    const found = (await this.#workflows.get(namespace, name))?.data.versions ?? {};
    if (version !== undefined) return found[String(version)];
    const latest = Object.keys(found)
      .map(Number)
      .sort((a, b) => b - a)[0];
    return latest === undefined ? undefined : found[String(latest)];
  }

  /** All versions of all workflows, by name and version. */
  async all(namespace: string): Promise<readonly RegisteredWorkflowDefinition[]> {
    const documents = await this.#workflows.all(namespace);
    return documents.flatMap(({ data }) =>
      Object.values(data.versions).sort((a, b) => a.definition.version - b.definition.version),
    );
  }

  /** Removes a version. Returns false when it does not exist. */
  async remove(namespace: string, name: string, version: number, by: DocumentChange): Promise<boolean> {
    let found = false;
    await this.#workflows.change(
      namespace,
      name,
      (before) => {
        const { [String(version)]: old, ...rest } = before?.versions ?? {};
        found = old !== undefined;
        if (before === undefined || !found) return before ?? null;
        return Object.keys(rest).length === 0 ? null : { versions: rest };
      },
      by,
    );
    return found;
  }

  async registerTask(namespace: string, definition: TaskDefinition, by: DocumentChange): Promise<void> {
    await this.#tasks.change(
      namespace,
      definition.name,
      (_, now) => ({ definition, createTime: now, updateTime: 0 }),
      by,
    );
  }

  /** Replaces the definition of a task type. Returns false when the name has none. */
  async updateTask(namespace: string, definition: TaskDefinition, by: DocumentChange): Promise<boolean> {
    const after = await this.#tasks.change(
      namespace,
      definition.name,
      (before, now) => (before === undefined ? null : { ...before, definition, updateTime: now }),
      by,
    );
    return after !== null;
  }

  async findTask(namespace: string, name: string): Promise<RegisteredTaskDefinition | undefined> {
    return (await this.#tasks.get(namespace, name))?.data;
  }

  /** The definitions of one namespace, or of all. */
  async allTasks(namespace?: string): Promise<readonly RegisteredTaskDefinition[]> {
    return (await this.#tasks.all(namespace)).map(({ data }) => data);
  }

  async removeTask(namespace: string, name: string, by: DocumentChange): Promise<boolean> {
    let found = false;
    await this.#tasks.change(
      namespace,
      name,
      (before) => {
        found = before !== undefined;
        return null;
      },
      by,
    );
    return found;
  }

  /** Whether a name is known to be a workflow. Names that other nodes registered are known after `refresh`. */
  isKnown(name: string): boolean {
    return this.#names.has(name);
  }

  knownNames(): readonly string[] {
    return [...this.#names];
  }

  /** Reads the names that other nodes have registered. Concurrent calls share one read. */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#workflows.all().then(
      (documents) => {
        for (const { id } of documents) this.#names.add(id);
        this.#refreshing = undefined;
      },
      () => {
        this.#refreshing = undefined;
      },
    );
    await this.#refreshing;
  }
}

export function checkedWorkflow(value: unknown, at = ''): WorkflowDefinition {
  const { definition, problems } = readWorkflowDefinition(value);
  if (definition === undefined) throw ServiceError.invalid(under(problems, at));
  return definition;
}

export function checkedTask(value: unknown, at = ''): TaskDefinition {
  const { definition, problems } = readTaskDefinition(value);
  if (problems.length > 0) throw ServiceError.invalid(under(problems, at));
  return definition;
}

function under(problems: readonly Problem[], at: string): readonly Problem[] {
  if (at === '') return problems;
  return problems.map((problem) => ({
    ...problem,
    path: problem.path === '' ? at : `${at}.${problem.path}`,
  }));
}
