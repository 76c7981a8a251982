/** A file, or standard input for `-`. */
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

/** What a file is called in messages. */
export function fileName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** The parser of manifests as an option of `readManifest`: YAML, of which JSON is a part, where it is installed; JSON alone elsewhere. */
export async function manifestParser({ yaml }: Context): Promise<{ readonly parse?: DocumentParser }> {
  return yaml === undefined ? {} : { parse: (await yaml()).parse };
}
