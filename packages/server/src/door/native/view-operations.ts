/** The operations on saved views: named queries of a namespace. */

import { longestViewName, longestViewQuery } from 'carillon/internal/service';
import { z } from 'zod';
import type { Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import { changedBy, recordRehearsal } from './rehearsal.ts';
import { itemsOf, time } from './schemas.ts';

const view = z
  .strictObject({
    name: z.string(),
    place: z.string(),
    query: z.string(),
    savedBy: z.string(),
    savedAt: time,
  })
  .meta({ id: 'SavedView' });

const body = z.strictObject({
  place: z.string().min(1).max(100).default('schedules').meta({ description: 'what it is a view of' }),
  query: z.string().max(longestViewQuery).meta({ description: 'e.g. `tag=billing&sort=attention`' }),
});

const nameIn = (path: Readonly<Record<string, string>>) =>
  reader(z.strictObject({ view: z.string().min(1).max(longestViewName) })).read({ view: path.view }).view;

export const viewOperations: readonly Operation[] = [
  defineOperation({
    id: 'listViews',
    method: 'GET',
    path: '/views',
    summary: 'The saved views of the namespace, by name',
    role: 'viewer',
    status: 200,
    response: itemsOf(view),
    handle: async ({ services, namespace }) => ({ body: { items: await services.views.list(namespace) } }),
  }),
  defineOperation<undefined, z.output<typeof body>>({
    id: 'saveView',
    method: 'PUT',
    path: '/views/{view}',
    summary: 'Save a query under a name, also over one that exists',
    role: 'operator',
    body: reader(body),
    ...recordRehearsal(),
    status: 200,
    response: view,
    handle: async ({ services, namespace, path, body: given, caller }) => ({
      body: await services.views.save(namespace, { name: nameIn(path), ...given }, changedBy(caller)),
    }),
  }),
  defineOperation({
    id: 'removeView',
    method: 'DELETE',
    path: '/views/{view}',
    summary: 'Remove a saved view',
    role: 'operator',
    ...recordRehearsal(),
    status: 204,
    handle: async ({ services, namespace, path, caller }) => {
      await services.views.remove(namespace, nameIn(path), changedBy(caller));
      return {};
    },
  }),
];
