/** The operation that lists the nodes of the server's store. */

import { formatInstant } from 'carillon/internal/base';
import type { NodeView } from 'carillon/internal/service';
import { z } from 'zod';
import type { Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import * as shape from './schemas.ts';

const node = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    state: z.enum(['alive', 'silent']).meta({ description: '`silent`: not heard of for a while' }),
    version: z.string(),
    startedAt: shape.time,
    seenAt: shape.time,
    lagMs: z.number().meta({ description: 'how long the earliest due schedule has been waiting' }),
    skewMs: z.number().meta({ description: "its clock minus the store's" }),
    timeZoneVersion: z.string().meta({ description: 'the IANA release it computes with' }),
    queues: z.array(z.string()),
    handlers: z
      .record(z.string(), z.array(z.string()).nullable())
      .meta({ description: 'the handlers of each queue; null: every run of the queue' }),
    activeRuns: z.number(),
  })
  .meta({ id: 'Node' });

export const nodesOperation: Operation = defineOperation({
  id: 'listNodes',
  method: 'GET',
  path: '/nodes',
  summary: 'The processes that work on this store, oldest first',
  role: 'viewer',
  status: 200,
  response: z.strictObject({
    items: z.array(node),
    silences: z
      .array(z.strictObject({ from: shape.time, to: shape.time }))
      .meta({ description: 'when no node was alive, oldest first; kept as long as the ledger' }),
  }),
  handle: async ({ services }) => {
    const [nodes, silences] = await Promise.all([services.nodes.list(), services.silences.list()]);
    const stretches = silences.map(({ from, to }) => ({ from: formatInstant(from), to: formatInstant(to) }));
    return { body: { items: nodes.map(nodeJson), silences: stretches } };
  },
});

function nodeJson({ startedAt, seenAt, ...view }: NodeView) {
  return { ...view, startedAt: formatInstant(startedAt), seenAt: formatInstant(seenAt) };
}
