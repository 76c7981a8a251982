/** Golden files: the rows of one execution as some version stored them, and what became of them an hour later. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import type { StoredRows } from './theatre.ts';

export interface GoldenFile<Deeds> {
  /** When the rows were taken out. */
  readonly at: Instant;
  readonly rows: StoredRows;
  readonly anHourLater: Deeds;
}

/** The forms that today's code writes. Folders of earlier forms stay for ever, because stored databases have them. */
export const currentForm = 'v1';

/** The golden files of one kind of execution: a folder for each form. */
export class GoldenFolder<Deeds> {
  readonly #folder: URL;

  constructor(folder: string) {
    this.#folder = new URL(folder, import.meta.url);
  }

  forms(): readonly string[] {
    return readdirSync(this.#folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && /^v\d+$/.test(entry.name))
      .map((entry) => entry.name);
  }

  names(form: string): readonly string[] {
    const url = new URL(`${form}/`, this.#folder);
    if (!existsSync(url)) return [];
    return readdirSync(url)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length));
  }

  read(form: string, name: string): GoldenFile<Deeds> {
    return JSON.parse(readFileSync(this.#url(form, name), 'utf8')) as GoldenFile<Deeds>;
  }

  /** Never over an existing one. */
  write(name: string, file: GoldenFile<Deeds>): void {
    mkdirSync(new URL(`${currentForm}/`, this.#folder), { recursive: true });
    writeFileSync(this.#url(currentForm, name), `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx' });
  }

  has(name: string): boolean {
    return existsSync(this.#url(currentForm, name));
  }

  #url(form: string, name: string): URL {
    return new URL(`${form}/${name.replaceAll(' ', '-')}.json`, this.#folder);
  }
}

export const advice = `
The stored form has changed: databases in the field hold the old one. If that was not meant, undo it. If it was:
  1. where old rows would be read wrongly, raise the component's \`version\` and teach its \`upgrade\` the old form
     (a new optional field whose absence means what it meant before needs neither);
  2. set \`currentForm\` in test/golden/golden-file.ts to the next folder (v2, …); the old folders stay as they are;
  3. run CARILLON_GOLDEN=write npx vitest run test/golden && npm run fix, and check the new files in.`;

/** The IANA release is data of ours that moves without any change of form. */
export function comparable(rows: StoredRows): unknown {
  const text = JSON.stringify(rows).replaceAll(/(timeZoneVersion\\?":\\?")[^"\\]*/g, '$1*');
  return JSON.parse(text) as unknown;
}
