/** Golden files: the rows of one schedule as some version stored them, and what became of them an hour later. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import type { Deeds, StoredRows } from './theatre.ts';

export interface GoldenFile {
  /** When the rows were taken out. */
  readonly at: Instant;
  readonly rows: StoredRows;
  readonly anHourLater: Deeds;
}

/** The forms that today's code writes. Folders of earlier forms stay for ever, because stored databases have them. */
export const currentForm = 'v1';

const folder = new URL('./', import.meta.url);
const urlOf = (form: string, name: string) => new URL(`${form}/${name.replaceAll(' ', '-')}.json`, folder);

export function goldenForms(): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^v\d+$/.test(entry.name))
    .map((entry) => entry.name);
}

export function goldenNames(form: string): readonly string[] {
  const url = new URL(`${form}/`, folder);
  if (!existsSync(url)) return [];
  return readdirSync(url)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}

export function readGolden(form: string, name: string): GoldenFile {
  return JSON.parse(readFileSync(urlOf(form, name), 'utf8')) as GoldenFile;
}

/** Never over an existing one. */
export function writeGolden(name: string, file: GoldenFile): void {
  mkdirSync(new URL(`${currentForm}/`, folder), { recursive: true });
  writeFileSync(urlOf(currentForm, name), `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx' });
}

export function hasGolden(name: string): boolean {
  return existsSync(urlOf(currentForm, name));
}

/** The IANA release is data of ours that moves without any change of form. */
export function comparable(rows: StoredRows): unknown {
  const text = JSON.stringify(rows).replaceAll(/(timeZoneVersion\\?":\\?")[^"\\]*/g, '$1*');
  return JSON.parse(text) as unknown;
}
