/** A definition as JSON, YAML, TypeScript or commands. Pure. */
import { quoted } from '../parts/quoted.ts';
import { createCommand } from './command.ts';
import { pastedOf } from './pasted.ts';

export type CodeName = 'json' | 'yaml' | 'ts';
type Definition = Readonly<Record<string, unknown>>;

/** JSON is the body of the API and is read by the form; YAML is a manifest for `carillon apply`. */
export function codeOf(name: CodeName, id: string, definition: Definition): string {
  const pasted = pastedOf(definition);
  // Only tools that declare schedules set `declaredBy`, and a copy is not declared by them.
  const { declaredBy: _, ...own } = pasted;
  switch (name) {
    case 'json':
      return JSON.stringify({ id, ...pasted }, null, 2);
    case 'yaml':
      return manifestOf(id, own);
    case 'ts':
      return `await carillon.schedules.upsert(${literal(id, 0)}, ${literal(own, 0)});`;
  }
}

/** The command that creates the schedule, and the commands that people use most for it. */
export function commandsOf(id: string, definition: Definition): readonly string[] {
  const { declaredBy: _, ...own } = pastedOf(definition);
  return [
    createCommand(id, own),
    `carillon schedule describe ${quoted(id)}`,
    `carillon why ${quoted(id)}`,
    `carillon schedule trigger ${quoted(id)}`,
    `carillon schedule pause ${quoted(id)} --note '…'`,
    `carillon runs --schedule ${quoted(id)}`,
  ];
}

/** A manifest. It needs an owner, so a schedule without one gets a placeholder for the person who pastes it. */
function manifestOf(id: string, { owner, ...fields }: Definition): string {
  const first =
    owner === undefined ? 'owner: my-team # the service or team that declares it' : `owner: ${scalar(owner)}`;
  return `${first}\nschedules:\n  - ${yamlOf({ id, ...fields }, 2).trimStart()}\n`;
}

const indent = (depth: number) => '  '.repeat(depth);

/** A text, number, list or object as YAML. A text is quoted when YAML would read something else. */
export function yamlOf(value: unknown, depth: number): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []';
    return value.map((each) => `\n${indent(depth)}-${yamlOf(each, depth + 1)}`).join('');
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    if (entries.length === 0) return ' {}';
    return entries
      .map(([key, each]) => `\n${indent(depth)}${scalar(key)}:${yamlOf(each, depth + 1)}`)
      .join('');
  }
  return ` ${scalar(value)}`;
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  const isPlain = /^[A-Za-z_][\w ./@-]*$/.test(value) && !/^(true|false|null|yes|no|on|off)$/i.test(value);
  return isPlain && value.trim() === value ? value : JSON.stringify(value);
}

function literal(value: unknown, depth: number): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, depth)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  if (entries.length === 0) return '{}';
  const inner = entries.map(([key, each]) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key, 0);
    return `${indent(depth + 1)}${name}: ${literal(each, depth + 1)},`;
  });
  return `{\n${inner.join('\n')}\n${indent(depth)}}`;
}
