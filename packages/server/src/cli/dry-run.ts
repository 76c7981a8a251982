/** `--dry-run`: says what a change would do, and changes nothing. */
import type { Effects } from 'carillon/client';
import type { Context } from 'carillon/internal/cli';
import { clean, print } from 'carillon/internal/cli';

export interface DryRun {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** The flag and its description, for every command that changes a schedule. */
export const dryRunOption = ['--dry-run', 'say what would happen, and change nothing'] as const;

export function printEffects(context: Context, given: DryRun, id: string, effects: Effects): void {
  print(context, given.json, effects, effectsText(id, effects));
}

/** One line for each effect, and the coming times where the change moves them. */
export function effectsText(id: string, { text, changes, upcoming, slots }: Effects): string {
  const lines = [`${clean(id)}, nothing is changed:`, ...text.map((line) => `  ${clean(line)}`)];
  for (const { path, before, after } of changes) {
    lines.push(`  ${path}: ${valueText(before)} -> ${valueText(after)}`);
  }
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
