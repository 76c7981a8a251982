/** `carillon audit`: who changed what, through which door, field by field. */
import type { AuditJson } from 'carillon/client';
import type { Command, Context } from 'carillon/internal/cli';
import {
  clean,
  clientOf,
  print,
  type RemoteOptions,
  readWhole,
  remoteHelp,
  remoteOptions,
} from 'carillon/internal/cli';

interface AuditOptions extends RemoteOptions {
  readonly schedule?: string;
  readonly actor?: string;
  readonly door?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

export function declare(command: Command, context: Context): void {
  remoteOptions(
    command
      .summary('list who changed what, newest first')
      .description('Lists who changed what, through which door, field by field, newest first.')
      .option('--schedule <id>', 'of this schedule')
      .option('--actor <name>', 'by this person or program')
      .option('--door <name>', 'through this door: page, rest, cli, embed, temporal, conductor, periodic …')
      .option('--action <name>', 'create, update, pause, resume, trigger, backfill, delete …')
      .option('--from <time>', 'not before, RFC 3339')
      .option('--to <time>', 'before, RFC 3339')
      .option('-n, --limit <number>', 'how many', readWhole, 20),
  )
    .addHelpText('after', `${examples}${remoteHelp}`)
    .action(async (given: AuditOptions) => await run(context, given));
}

async function run(context: Context, given: AuditOptions): Promise<void> {
  const { schedule, actor, door, action, from, to, limit } = given;
  const filters = {
    brief: true,
    limit: Math.min(limit, 1000),
    ...(schedule === undefined ? {} : { target: `schedule/${schedule}` }),
    ...(actor === undefined ? {} : { actor }),
    ...(door === undefined ? {} : { door }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  const items: AuditJson[] = [];
  for await (const entry of clientOf(context, given).audit.each(filters)) {
    items.push(entry);
    if (items.length === limit) break;
  }
  print(context, given.json, { items }, auditText(items));
}

function auditText(items: readonly AuditJson[]): string {
  if (items.length === 0) return 'No change.\n';
  return items.map(entryText).join('');
}

function entryText({ at, actor, action, target, door, note, changes }: AuditJson): string {
  const through = door === '' ? '' : ` (${door})`;
  const why = note === '' ? '' : `  "${note}"`;
  const fields = (action === 'create' ? [] : changes).map(
    ({ path, before, after }) => `    ${path}: ${valueText(before)} -> ${valueText(after)}`,
  );
  const lines = [`${at}  ${actor} ${action} ${target}${through}${why}`, ...fields];
  return lines.map((line) => `${clean(line)}\n`).join('');
}

function valueText(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

const examples = `
Examples:
  $ carillon audit
  $ carillon audit --schedule nightly --action update
  $ carillon audit --actor mara --from 2026-11-01T00:00:00Z --json
`;
