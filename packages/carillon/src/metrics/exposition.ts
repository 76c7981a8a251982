/** The text format of Prometheus, version 0.0.4. */
import type { Family, Labels } from './family.ts';

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/** The text ends with a line break, so that other texts can be appended. */
export function expositionText(families: readonly Family[]): string {
  return families.map(familyText).join('');
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`];
  for (const { suffix = '', labels, value } of samples) {
    lines.push(`${name}${suffix}${labelText(labels)} ${valueText(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${key}="${escaped(String(value)).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function valueText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
