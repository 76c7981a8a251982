/** Names of metrics in a PromQL expression: what is left when everything else is taken away. */

const keywords = new Set([
  ...[
    'by',
    'without',
    'on',
    'ignoring',
    'group_left',
    'group_right',
    'and',
    'or',
    'unless',
    'bool',
    'offset',
  ],
  ...['inf', 'nan', 'atan2'],
]);

export interface Expression {
  readonly metrics: readonly string[];
  /** Unbalanced brackets, empty parts, unknown functions. */
  readonly problems: readonly string[];
}

/** Those we use; a misspelt one must not go unnoticed. */
const functions = new Set([
  ...['sum', 'max', 'min', 'topk', 'rate', 'increase', 'deriv', 'histogram_quantile', 'clamp_min'],
  ...['absent', 'vector', 'time', 'label_values'],
]);

export function readExpression(text: string): Expression {
  const problems: string[] = [];
  if (text.trim() === '') problems.push('empty');
  const plain = text
    .replace(/"[^"]*"/g, '""')
    .replace(/\{[^{}]*\}/g, '')
    .replace(/\[[^[\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring)\s*\([^()]*\)/g, ' ');
  let depth = 0;
  for (const character of plain) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0 || /[{}[\]]/.test(plain)) problems.push(`brackets do not match: ${text}`);
  const metrics = new Set<string>();
  for (const { 0: word, index } of plain.matchAll(/[a-zA-Z_:][\w:]*/g)) {
    // A digit before it: the exponent of a number.
    if (keywords.has(word.toLowerCase()) || /[\d.]/.test(plain[index - 1] ?? '')) continue;
    if (/^\s*\(/.test(plain.slice(index + word.length))) {
      if (!functions.has(word)) problems.push(`unknown function ${word}`);
    } else metrics.add(word);
  }
  return { metrics: [...metrics], problems };
}
