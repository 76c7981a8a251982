/**
 * Polls of workers for workflow tasks, which this server does not have. A worker learns this at once, in a way that depends on
 * its SDK. Most SDKs log the error of a poll. SDKs built on Core hide errors of polls for a minute and then fail with them, but
 * they log a task that they cannot read at once, with its content; their first poll gets the reason as such a task. Go workers
 * poll for workflow tasks even when they have only activities, so they get an ordinary poll that finds nothing.
 */
import type { Services } from 'carillon/internal/service';
import type { Call, Methods } from '../method.ts';
import { unimplemented } from '../status.ts';

export interface WorkflowPollDeps extends Pick<Services, 'workers' | 'namespaces'> {
  readonly leaving?: AbortSignal;
}

interface PollRequest {
  readonly namespace: string;
  readonly identity: string;
  readonly workerInstanceKey: string;
}

const core = /^temporal-(typescript|python|dotnet|ruby|rust)$/;
/** The most workers that are remembered as informed. */
const mostInformed = 10_000;
const longestHoldMs = 55_000;
const answerMs = 5000;

export const workflowWorkersRefused =
  'this server runs activities and handlers, not workflow code: register an activity named like the workflow type, see docs/temporal.md';

export function workflowPollMethods({ workers, namespaces, leaving }: WorkflowPollDeps): Methods {
  const informed = new Set<string>();
  return {
    PollWorkflowTaskQueue: async (request: PollRequest, call: Call) => {
      const { namespace, identity, workerInstanceKey } = request;
      await namespaces.require(namespace);
      const client = call.metadata.get('client-name') ?? '';
      const worker = `${namespace}\0${identity}\0${workerInstanceKey}`;
      if (core.test(client) && !informed.has(worker)) {
        if (informed.size >= mostInformed) informed.clear();
        informed.add(worker);
        return { workflowType: { name: workflowWorkersRefused } };
      }
      if (client !== 'temporal-go') throw unimplemented('PollWorkflowTaskQueue', workflowWorkersRefused);
      const forMs = Math.min(longestHoldMs, Math.max(0, call.remainingMs - answerMs));
      await workers.stops(namespace, [], {
        forMs,
        signal: call.signal,
        ...(leaving === undefined ? {} : { leaving }),
      });
      return {};
    },
  };
}
