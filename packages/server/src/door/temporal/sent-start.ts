/** The action of a request, applied to the stored one. */
import type { AttributeTypes, ScheduleAction, ScheduleDefinition } from 'carillon/internal/service';
import { writtenBack } from 'carillon/internal/service';
import { base64 } from './fields.ts';
import { nativeStart } from './native-start.ts';
import { keptBytes } from './origin.ts';
import type { WorkflowStart } from './protocol.ts';
import { badRequest } from './status.ts';
import { readWorkflowStart } from './workflow-start.ts';
import { isSameStart } from './write-back.ts';

export interface ActionOver {
  readonly value: ScheduleAction;
  /** The client's bytes for this door; undefined when the stored value came through another door. */
  readonly kept: string | undefined;
}

export interface StartContext {
  readonly types: AttributeTypes;
  /** The schedule's id. */
  readonly id: string;
  /** Turns the action with the named workflow into the action that this server stores. */
  readonly onto: (action: ScheduleAction) => ScheduleAction;
}

export class SentStart {
  readonly #start: WorkflowStart;
  readonly #id: string;
  /**
   * Undefined for an action that is not a handler. It is shown as a workflow on an internal queue, and a client cannot
   * change it.
   */
  readonly #action: ScheduleAction | undefined;

  constructor(start: WorkflowStart, { id, types, onto }: StartContext) {
    this.#start = start;
    this.#id = id;
    const isElsewhere = (start.taskQueue?.name ?? '').startsWith('@');
    this.#action = isElsewhere ? undefined : onto(readWorkflowStart(start, types));
  }

  over(before: ScheduleDefinition | undefined, bytes: () => Uint8Array): ActionOver {
    if (before === undefined || keptBytes(before, 'action') !== undefined) {
      if (this.#action === undefined)
        throw badRequest(`TaskQueue names beginning with '@' are the server's own.`);
      return { value: this.#action, kept: base64(bytes()) };
    }
    const { action } = before;
    return writtenBack<ActionOver>({
      name: 'action',
      stored: { value: action, kept: undefined },
      isUnchanged: isSameStart(this.#start, nativeStart(before, this.#id)),
      // A client that names its own workflow wants to replace the whole action.
      inexpressible: this.#action === undefined ? [`it is of the kind '${action.kind}'`] : [],
      replacement: () => ({ value: this.#replacing(action), kept: base64(bytes()) }),
    });
  }

  /** The message has no lease, and no priority unless the client gives one; absent ones keep their stored value. */
  #replacing(before: ScheduleAction): ScheduleAction {
    const action = this.#action as ScheduleAction;
    const { leaseMs } = before.settings;
    const isIdShown = before.workflowId === '' && action.workflowId === this.#id;
    return {
      ...action,
      priority: (this.#start.priority?.priorityKey ?? 0) === 0 ? before.priority : action.priority,
      workflowId: isIdShown ? '' : action.workflowId,
      settings: leaseMs === undefined ? action.settings : { ...action.settings, leaseMs },
    };
  }
}
