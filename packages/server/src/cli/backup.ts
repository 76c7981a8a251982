/** `carillon backup`: makes a consistent copy of a SQLite store, of a running server or of a file that no process has open. */
import { resolve } from 'node:path';
import type { CarillonClient } from 'carillon/client';
import type { Command, Context, RemoteOptions } from 'carillon/internal/cli';
import { clientOf, Progress, print, remoteHelp, remoteOptions, storeUrl } from 'carillon/internal/cli';
import { pause } from 'carillon/internal/client';

export interface BackupOptions extends RemoteOptions {
  readonly db?: string;
  readonly quiet?: boolean;
}

interface Made {
  readonly path: string;
  readonly bytes: number;
}

/** Time between two polls for the copy that a server makes. */
const pollMs = 200;

export function declare(command: Command, context: Context): void {
  remoteOptions(
    command
      .summary('copy a SQLite store while it is in use')
      .description(
        'Copies a SQLite store to a file: consistent, checked, and without stopping anything. A running server makes the copy itself, at a path below the folder of its store. With --db the copy is made here, of a file that no process has open.',
      )
      .argument('<file>', 'path of the copy; it must not exist yet')
      .option('--db <file>', 'copy this file, which no process may have open, instead of asking a server')
      .option('-q, --quiet', 'no progress'),
  )
    .addHelpText('after', `${help}${remoteHelp}`)
    .action(async (file: string, given: BackupOptions) => await run(context, file, given));
}

async function run(context: Context, file: string, given: BackupOptions): Promise<void> {
  const progress = new Progress(context, {
    label: 'backup',
    total: undefined,
    isSilent: given.json === true || given.quiet === true,
  });
  const show = (done: number, total: number) => progress.at(done, 'pages', total === 0 ? undefined : total);
  const made = await (given.db === undefined
    ? byServer(clientOf(context, given), file, show)
    : offline(given.db, file, show)
  ).finally(() => progress.end());
  print(context, given.json, made, `Backed up to ${made.path}, ${made.bytes} bytes.\n`);
}

async function byServer(
  client: CarillonClient,
  path: string,
  show: (done: number, total: number) => void,
): Promise<Made> {
  let view = await client.backups.start(path);
  while (view.state === 'running') {
    show(view.pagesDone, view.pagesTotal);
    await pause(pollMs);
    view = await client.backups.get(view.id);
  }
  if (view.state === 'failed') throw new Error(`the backup failed: ${view.error}`);
  return { path: view.path, bytes: view.bytes ?? 0 };
}

async function offline(db: string, file: string, show: (done: number, total: number) => void): Promise<Made> {
  const { openCarillon } = await import('carillon');
  const carillon = await openCarillon({ store: storeUrl(db), http: false, command: false });
  try {
    return await carillon.backup(resolve(file), { progress: show });
  } finally {
    await carillon.stop();
  }
}

const help = `
Examples:
  $ carillon backup backup-2026-11-17.db
  $ carillon backup nightly/monday.db --json
  $ carillon backup /mnt/safe/carillon.db --db /var/lib/carillon/data.db

Copying the file of a running store with cp is not a backup: its newest commits are in the file beside it.
PostgreSQL and Redis have tools of their own; the command names them.
`;
