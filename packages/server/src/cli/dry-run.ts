/** `--dry-run`: says what a change would do, and changes nothing. */
import type { Effects, FieldChange, RecordEffects, WorkEffects } from 'carillon/client';
import type { Context } from 'carillon/internal/cli';
import { clean, print } from 'carillon/internal/cli';

export interface DryRunOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** The flag and its description, for every command that changes something. */
export const dryRunOption = ['--dry-run', 'say what would happen, and change nothing'] as const;

export function printEffects(context: Context, given: DryRunOptions, id: string, effects: Effects): void {
  print(context, given.json, effects, effectsText(id, effects));
}

/** The effects of a change of runs or workflows. */
export function printWorkEffects(
  context: Context,
  given: DryRunOptions,
  id: string,
  effects: WorkEffects,
): void {
  print(context, given.json, effects, `${headLines(id, effects).join('\n')}\n`);
}

/** The effects of a change of a view, a key or a namespace. */
export function printRecordEffects(
  context: Context,
  given: DryRunOptions,
  id: string,
  effects: RecordEffects,
): void {
  const lines = [...headLines(id, effects), ...effects.changes.map(changeLine)];
  print(context, given.json, effects, `${lines.join('\n')}\n`);
}

function headLines(id: string, { text }: Pick<Effects, 'text'>): readonly string[] {
  return [`${clean(id)}, nothing is changed:`, ...text.map((line) => `  ${clean(line)}`)];
}

function changeLine({ path, before, after }: FieldChange): string {
  return `  ${path}: ${valueText(before)} -> ${valueText(after)}`;
}

/** One line for each effect, and the coming times where the change moves them. */
export function effectsText(id: string, { text, changes, upcoming, slots }: Effects): string {
  const lines = [...headLines(id, { text }), ...changes.map(changeLine)];
  const blocker = slots.find(({ detail }) => detail?.blockedBy !== undefined)?.detail?.blockedBy;
  if (blocker !== undefined) lines.push(`  run ${clean(String(blocker))} is in the way`);
  if (upcoming.before.join() !== upcoming.after.join()) {
    lines.push(`  next: ${upcoming.after.length === 0 ? 'none' : upcoming.after.slice(0, 3).join(', ')}`);
  }
  return `${lines.join('\n')}\n`;
}

function valueText(value: unknown): string {
  return value === undefined ? 'none' : clean(JSON.stringify(value));
}
