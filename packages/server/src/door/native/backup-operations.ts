/** The operations that copy the server's store to a file beside it. */
import { z } from 'zod';
import type { Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';

const backup = z
  .strictObject({
    id: z.string(),
    path: z.string().meta({ description: "the file, on the server's machine" }),
    state: z.enum(['running', 'done', 'failed']),
    pagesDone: z.number(),
    pagesTotal: z.number().meta({ description: '0 while unknown' }),
    bytes: z.number().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'Backup' });

const body = z.strictObject({
  path: z.string().min(1).max(1000).meta({
    description: 'target path, relative to the folder of the store; it must not exist yet',
  }),
});

export const backupOperations: readonly Operation[] = [
  defineOperation<undefined, z.output<typeof body>>({
    id: 'startBackup',
    method: 'POST',
    path: '/backups',
    summary: 'Begin a consistent copy of a SQLite store, while it is in use',
    role: 'admin',
    body: reader(body),
    status: 202,
    response: backup,
    handle: async ({ services, body: { path } }) => {
      const view = services.backups.start(path);
      return { body: view, location: `/backups/${view.id}` };
    },
  }),
  defineOperation({
    id: 'getBackup',
    method: 'GET',
    path: '/backups/{backup}',
    summary: 'Progress of the latest backup that this process made',
    role: 'admin',
    status: 200,
    response: backup,
    handle: async ({ services, path }) => ({ body: services.backups.get(path.backup as string) }),
  }),
];
