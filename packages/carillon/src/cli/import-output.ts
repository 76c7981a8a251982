/** What every import does with the manifest it made: prints it, writes it to a file, or applies it. */
import { writeFileSync } from 'node:fs';
import { applyChanges } from './apply.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { BadInput } from './exit.ts';
import { appliedText } from './manifest-view.ts';
import { manifestParser } from './read-text.ts';
import type { RemoteOptions } from './remote.ts';

export interface ImportTarget extends RemoteOptions {
  readonly owner: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly apply?: boolean;
  readonly takeOver?: boolean;
  readonly quiet?: boolean;
}

/** Adds the options of the target. */
export function importTarget(command: Command, owner: string): Command {
  return command
    .option('--owner <name>', 'whose schedules they become', owner)
    .option('-o, --output <file>', 'write the manifest there')
    .option('--force', 'write over a file that exists')
    .option('--apply', 'create or change them on the server right away')
    .option('--take-over', 'with --apply: also change schedules of other owners')
    .option('-q, --quiet', 'no progress');
}

export interface Import {
  readonly manifest: object;
  /** Where the schedules came from, in words. */
  readonly source: string;
  /** A part could not be read: then nothing is applied, because a part would be worse than nothing. */
  readonly failed: boolean;
  /** What `--json` prints beside the manifest. */
  readonly report: object;
}

/** Returns false when a change was asked for and did not happen. */
export async function outputImport(
  context: Context,
  given: ImportTarget,
  { manifest, source, failed, report }: Import,
): Promise<boolean> {
  const text = await manifestText(context, manifest, source);
  const applied = given.apply === true && !failed ? await apply(context, given, text) : undefined;
  if (given.output !== undefined) write(given.output, text, given.force === true);
  if (given.json === true) {
    const json = { manifest, ...report, ...(applied === undefined ? {} : { applied }) };
    context.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else if (given.output !== undefined) context.stderr.write(`Written to ${given.output}.\n`);
  else if (given.apply !== true) context.stdout.write(text);
  if (given.apply === true && failed && given.json !== true) context.stderr.write('Nothing was changed.\n');
  return applied?.some(({ ok }) => !ok) !== true;
}

async function manifestText({ yaml }: Context, manifest: object, source: string): Promise<string> {
  if (yaml === undefined) return `${JSON.stringify(manifest, undefined, 2)}\n`;
  return (await yaml()).write(
    manifest,
    `Imported from ${source}. Look at it, then: carillon apply <this file>`,
  );
}

async function apply(context: Context, given: ImportTarget, text: string) {
  const { readManifest } = await import('../doctor/index.ts');
  const { planGroup } = await import('./planning.ts');
  const manifest = readManifest(text, await manifestParser(context));
  if (!manifest.ok) throw new BadInput(manifest.problems);
  const [declared] = manifest.manifests;
  if (declared === undefined) return [];
  const { changes, client, owner, declaredBy, namespace } = await planGroup(context, declared, given);
  const isSilent = given.json === true || given.quiet === true;
  const due = changes.filter(({ kind }) => kind === 'create' || kind === 'update');
  const applied = [
    ...(await applyChanges(context, client, due, isSilent)),
    ...changes
      .filter(({ kind }) => kind === 'foreign')
      .map(({ id, kind, notes }) => ({ id, kind, ok: false, conflict: false, message: notes.join('; ') })),
  ];
  if (given.json !== true) {
    const part = { owner, declaredBy, namespace, pending: due.length, changes };
    context.stdout.write(appliedText([{ ...part, applied }], context.colors.stdout));
  }
  return applied;
}

function write(file: string, text: string, force: boolean): void {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isThere = code === 'EEXIST';
    throw new BadInput([
      {
        path: '--output',
        reason: 'UNWRITABLE',
        message: isThere ? `${file} exists already` : `cannot write ${file}: ${message}`,
        ...(isThere ? { fix: 'choose another name, or add --force' } : {}),
      },
    ]);
  }
}
