/** The pages that people read, and what they quote. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Block {
  readonly page: string;
  /** The line of the first line of code, from 1. */
  readonly line: number;
  readonly language: string;
  /** The words after the language, such as `run`. */
  readonly marks: readonly string[];
  readonly code: string;
  /** The text between the previous block or heading and this block. */
  readonly before: string;
}

export function pages(): readonly string[] {
  const docs = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' });
  return ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)].sort();
}

export function textOf(page: string): string {
  return readFileSync(`${root}${page}`, 'utf8');
}

/** The fenced blocks of a page. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = textOf(page).split('\n');
  let began = -1;
  let before: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('```')) {
      if (began < 0) before.push(line);
      continue;
    }
    if (began < 0) began = index;
    else {
      const [language = '', ...marks] = (lines[began] ?? '').slice(3).trim().split(/\s+/);
      const code = lines.slice(began + 1, index).join('\n');
      blocks.push({ page, line: began + 2, language, marks, code, before: before.join('\n') });
      began = -1;
      before = [];
    }
  }
  return blocks;
}

/** The first cells of the rows of a page's tables, taken apart at their code spans: `a`, `b` are two. */
export function firstCells(page: string, heading: RegExp): readonly string[] {
  const lines = textOf(page).split('\n');
  const cells: string[] = [];
  let inTable = false;
  for (const line of lines) {
    if (!line.startsWith('|')) inTable = false;
    else if (heading.test(line)) inTable = true;
    else if (inTable) {
      const [, first = ''] = line.split(/(?<!\\)\|/);
      cells.push(...[...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    }
  }
  return cells;
}
