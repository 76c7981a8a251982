/** The action of a request, over the one that is stored. */
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
  /** What the client said, for this door; undefined when what is stored came through another one. */
  readonly kept: string | undefined;
}

export class SentStart {
  readonly #start: WorkflowStart;
  readonly #id: string;
  /** Undefined for work elsewhere, which is shown as a workflow on a queue of ours and can only stay what it is. */
  readonly #action: ScheduleAction | undefined;

  constructor(start: WorkflowStart, context: { readonly types: AttributeTypes; readonly id: string }) {
    this.#start = start;
    this.#id = context.id;
    const isElsewhere = (start.taskQueue?.name ?? '').startsWith('@');
    this.#action = isElsewhere ? undefined : readWorkflowStart(start, context.types);
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
      // A client that names a workflow of its own means to replace the action as a whole.
      unsayable: this.#action === undefined ? [`it is of the kind '${action.kind}'`] : [],
      replacement: () => ({ value: this.#replacing(action), kept: base64(bytes()) }),
    });
  }

  /** Priority and lease have no place in the message unless the client gives a priority; then they stay. */
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
