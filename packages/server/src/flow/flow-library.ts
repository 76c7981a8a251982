/** The library of the workflow archetype. */

import type { Library } from 'carillon/engine';
import { defineLibrary, pureTask, sideEffectTask } from 'carillon/engine';
import type { ArchetypePorts } from 'carillon/internal/archetype';
import { duration } from 'carillon/internal/base';
import { advance, runFinished, stopRuns, tick } from './advance.ts';
import { flowStatuses } from './flow.ts';
import { FlowRoot, flowArchetype, Origin } from './flow-tree.ts';

export function flowLibrary({ runs }: ArchetypePorts): Library<typeof FlowRoot> {
  return defineLibrary({
    name: flowArchetype,
    root: FlowRoot,
    tasks: [
      pureTask({
        ...tick,
        singleton: 'replace',
        validate: ({ state }) => state.status === 'RUNNING',
        execute: (root) => {
          advance(root);
        },
      }),
      sideEffectTask({
        ...stopRuns,
        singleton: 'keep',
        lease: duration(30_000),
        retry: { attempts: 1_000_000, initial: duration(1000), longest: duration(60_000) },
        validate: ({ state }) => state.stopping !== null,
        prepare: ({ incarnation, state }) => ({ incarnation, upTo: state.stopping ?? -1 }),
        execute: async ({ prepared }) =>
          await runs.stopOwned({ ...prepared, how: 'terminate', reason: 'the workflow has ended' }),
        complete: (root) => {
          root.set({ ...root.state, stopping: null });
        },
        exhausted: (root) => {
          root.set({ ...root.state, stopping: null });
        },
      }),
    ],
    runFinished,
    visibility: {
      sources: [Origin],
      attributes: (root) => {
        const { definition, correlationId, input, startedAt, parent } = root.child('origin').state;
        return {
          $name: definition.name,
          $version: definition.version,
          $startTime: startedAt,
          ...(correlationId === undefined ? {} : { $correlationId: correlationId }),
          ...(parent?.workflowId === undefined ? {} : { $parent: parent.workflowId }),
          $text: `${root.key.id} ${definition.name} ${correlationId ?? ''} ${JSON.stringify(input)}`
            .slice(0, 2000)
            .toLowerCase(),
        };
      },
      signals: ({ state }) => ({
        $status: flowStatuses.indexOf(state.status),
        $updateTime: state.updatedAt,
        ...(state.endedAt === null ? {} : { $endTime: state.endedAt }),
      }),
    },
  });
}
