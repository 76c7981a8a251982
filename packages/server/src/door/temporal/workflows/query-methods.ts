/** Queries of workflows. A run has no queries of its own, but answers the two that every Temporal workflow answers. */
import type { RunRow } from 'carillon/internal/service';
import type { Methods } from '../method.ts';
import { payloadOf } from '../payload.ts';
import { badRequest } from '../status.ts';
import type { Execution } from './find-workflow.ts';
import { findWorkflow } from './find-workflow.ts';
import type { WorkflowDeps } from './methods.ts';

/** The queries, as SDKs list them. Without any, the Web UI would wait for one for ever. */
const queryDefinitions = [
  { name: '__stack_trace', description: 'Where the workflow is.' },
  { name: '__temporal_workflow_metadata', description: 'What the workflow can be asked and told.' },
];

const answers: Readonly<Record<string, (run: RunRow) => unknown>> = {
  __temporal_workflow_metadata: ({ name }) => ({
    definition: { type: name, queryDefinitions, signalDefinitions: [], updateDefinitions: [] },
    currentDetails: '',
  }),
  __stack_trace: ({ state, attempt, worker }) =>
    state === 'leased'
      ? `attempt ${attempt} is running at ${worker}; handlers have no stack to show`
      : 'no attempt is running',
};

export function queryMethods({
  runSearch,
  namespaces,
}: Pick<WorkflowDeps, 'runSearch' | 'namespaces'>): Methods {
  return {
    QueryWorkflow: async (request: {
      readonly namespace: string;
      readonly execution?: Execution | null;
      readonly query?: { readonly queryType?: string | null } | null;
    }) => {
      const { namespace, execution, query } = request;
      await namespaces.require(namespace);
      const type = query?.queryType ?? '';
      const { run } = await findWorkflow(runSearch, namespace, execution);
      const answer = Object.hasOwn(answers, type) ? answers[type] : undefined;
      if (answer === undefined) {
        throw badRequest(`unknown queryType ${type}. KnownQueryTypes=[${Object.keys(answers).join(' ')}]`);
      }
      return { queryResult: { payloads: [payloadOf(answer(run))] } };
    },
  };
}
