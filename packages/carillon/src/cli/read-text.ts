/** Reads a file, or standard input for `-`. */
import { readFileSync } from 'node:fs';
import type { DocumentParser } from '../doctor/index.ts';
import type { Context } from './context.ts';
import { BadInput } from './exit.ts';

export async function readText(context: Context, file: string, path = 'file'): Promise<string> {
  try {
    return file === '-' ? ((await context.readInput?.()) ?? '') : readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message;
    throw new BadInput([{ path, reason: 'UNREADABLE', message: `cannot read ${file}: ${why}` }]);
  }
}

/** The name of a file in messages. */
export function fileName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** The parser option of `readManifest`: YAML, which includes JSON, if it is installed; otherwise JSON only. */
export async function manifestParser({ yaml }: Context): Promise<{ readonly parse?: DocumentParser }> {
  return yaml === undefined ? {} : { parse: (await yaml()).parse };
}
