/** The operation that reads the audit of a namespace. */

import { given } from 'carillon/internal/base';
import { auditJson, keysNamespace, pageJson } from 'carillon/internal/service';
import { z } from 'zod';
import { demandAccess } from '../access.ts';
import { flagText, pageFields, timeText } from './fields.ts';
import type { Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import * as shape from './schemas.ts';

const word = z.string().min(1).max(1000);

const auditQuery = z.strictObject({
  target: word.optional().meta({ description: '`schedule/<id>` or `run/<id>`' }),
  actor: word.optional(),
  door: word
    .optional()
    .meta({ description: 'where the change came in: page, rest, cli, embed, temporal, …' }),
  action: word.optional().meta({ description: 'create, update, pause, trigger, release, cancel, …' }),
  from: timeText.optional(),
  to: timeText.optional(),
  brief: flagText.optional().meta({ description: 'without `before` and `after`; `changes` stay' }),
  ...pageFields,
});

export const auditOperation: Operation = defineOperation<z.output<typeof auditQuery>>({
  id: 'listAllAudit',
  method: 'GET',
  path: '/audit',
  summary:
    'Who changed what in the namespace, newest first; a filtered page may be short and still have a `next`. The namespace `@keys` has the changes of API keys, for admins',
  role: 'viewer',
  query: reader(auditQuery),
  status: 200,
  response: shape.pageOf(shape.audit),
  handle: async ({ services, namespace, query, identity }) => {
    if (namespace === keysNamespace) demandAccess(identity, 'admin', namespace);
    const { target, actor, door, action, from, to, after, limit, brief } = query;
    const page = await services.audit.list({
      namespace,
      limit,
      ...given({ target, actor, door, action, from, to, after }),
    });
    return { body: pageJson(page, brief === true ? briefJson : auditJson) };
  },
});

function briefJson(row: Parameters<typeof auditJson>[0]) {
  return { ...auditJson(row), before: null, after: null };
}
