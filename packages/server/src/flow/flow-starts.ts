/** Starts workflows: finds their definitions and creates their executions. */
import type { Engine, Library } from 'carillon/engine';
import type { Clock } from 'carillon/internal/base';
import { given, isServiceError, ServiceError } from 'carillon/internal/base';
import { advance } from './advance.ts';
import type { Parameters, TaskDefinition, WorkflowDefinition } from './definition.ts';
import { allTasks } from './definition.ts';
import type { Definitions } from './definitions.ts';
import type { FlowOrigin, FlowParent } from './flow.ts';
import { newFlow } from './flow.ts';
import type { FlowRoot } from './flow-tree.ts';
import { newState, writeNewFlow } from './flow-tree.ts';

export interface StartFlow {
  readonly name: string;
  /** Absent: the latest version. */
  readonly version?: number;
  readonly input?: Parameters;
  readonly correlationId?: string;
  readonly priority?: number;
  readonly taskToDomain?: Readonly<Record<string, string>>;
  readonly definition?: WorkflowDefinition;
  readonly createdBy?: string;
  /** The id of the workflow. A repeated start with the same id changes nothing. Default: a new id. */
  readonly id?: string;
  readonly parent?: FlowParent;
}

export interface FlowStartsOptions {
  readonly engine: Engine;
  readonly library: Library<typeof FlowRoot>;
  readonly definitions: Definitions;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** The longest JSON of a workflow's input; larger data belongs in storage of the user's own. */
const longestInput = 1024 * 1024;

export class FlowStarts {
  readonly #options: FlowStartsOptions;

  constructor(options: FlowStartsOptions) {
    this.#options = options;
  }

  /** Returns the id of the workflow. */
  async start(namespace: string, request: StartFlow): Promise<string> {
    const { engine, library, newId } = this.#options;
    const definition =
      request.definition ?? (await this.definition(namespace, request.name, request.version));
    const origin = await this.#origin(namespace, definition, request, request.id ?? newId());
    const flow = newFlow(origin);
    const whenOpen = request.id === undefined ? 'fail' : 'useExisting';
    try {
      await engine.create(
        library,
        { namespace, id: origin.workflowId },
        newState(flow),
        (root) => {
          writeNewFlow(root, { ...flow, origin: { ...origin, startedAt: root.now } });
          advance(root);
          return undefined;
        },
        { whenOpen, whenClosed: 'reject' },
      );
    } catch (error) {
      // A workflow with this id has already ended, so this start is a repetition.
      if (request.id === undefined || !isAlreadyThere(error)) throw error;
    }
    return origin.workflowId;
  }

  async definition(namespace: string, name: string, version?: number): Promise<WorkflowDefinition> {
    const found = await this.#options.definitions.find(namespace, name, version);
    if (found === undefined) throw noSuchWorkflow(name, version);
    return found.definition;
  }

  async taskDefinitions(
    namespace: string,
    definition: WorkflowDefinition,
  ): Promise<Readonly<Record<string, TaskDefinition>>> {
    const names = new Set([...allTasks(definition.tasks)].map(({ name }) => name));
    const found: Record<string, TaskDefinition> = {};
    for (const name of names) {
      const task = await this.#options.definitions.findTask(namespace, name);
      if (task !== undefined) found[name] = task.definition;
    }
    return found;
  }

  async #origin(
    namespace: string,
    definition: WorkflowDefinition,
    request: StartFlow,
    workflowId: string,
  ): Promise<FlowOrigin> {
    const input = { ...definition.inputTemplate, ...request.input };
    if (JSON.stringify(input).length > longestInput)
      throw ServiceError.invalid([
        {
          path: 'input',
          reason: 'TOO_LARGE',
          message: `has more than ${longestInput} characters of JSON`,
          fix: 'hand over a reference to the data',
        },
      ]);
    const { priority = 0, taskToDomain = {}, correlationId, createdBy, parent } = request;
    return {
      definition,
      taskDefinitions: await this.taskDefinitions(namespace, definition),
      workflowId,
      input,
      priority,
      taskToDomain,
      startedAt: this.#options.clock.now(),
      ...given({ correlationId, createdBy, parent }),
    };
  }
}

export function noSuchWorkflow(name: string, version: number | undefined): ServiceError {
  const message = `No such workflow defined. name=${name}, version=${version ?? 'null'}`;
  return new ServiceError({ code: 'notFound', reason: 'NO_SUCH_WORKFLOW', message });
}

function isAlreadyThere(error: unknown): boolean {
  return isServiceError(error) && error.code === 'alreadyExists';
}
