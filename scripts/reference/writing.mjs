// The pages of the reference as text.
const mark = '<!-- Written by scripts/reference.mjs from the types and doc comments; change those. -->';

export function writePage(page, reader) {
  const parts = [`# ${page.title}`, mark, page.intro];
  for (const entry of page.entries) {
    const {
      from = page.from ?? 'carillon',
      name,
      example,
    } = typeof entry === 'string' ? { name: entry } : entry;
    parts.push(...section(reader.read(from, name), from), ...(example === undefined ? [] : [block(example)]));
  }
  return `${parts.join('\n\n')}\n`;
}

export function writeIndex(pages) {
  const rows = pages.map(({ file, title, about }) => `| [${title}](${file}.md) | ${about} |`);
  return `${[
    '# Library reference',
    mark,
    'What programs call, from the types themselves: every option with its default and unit, every method, with an example each. Times are milliseconds since 1970 unless a type says otherwise; durations are texts such as `15m` or milliseconds.',
    ['| Page | What it has |', '|---|---|', ...rows].join('\n'),
  ].join('\n\n')}\n`;
}

function section({ name, kind, comment, signatures = [], members }, from) {
  const parts = [`## ${name}`, `From \`${from}\`. ${comment}`.trim()];
  if (signatures.length > 0) parts.push(signatures.map((each) => code(each)).join('\n\n'));
  const methods = members.filter((each) => each.isMethod);
  const fields = members.filter((each) => !each.isMethod);
  if (fields.length > 0) parts.push(table(kind === 'union' ? 'Type' : 'Name', fields));
  for (const method of methods) {
    parts.push(`### ${name}.${method.name}`, method.comment, method.signatures.map(code).join('\n\n'));
  }
  return parts.filter((each) => each !== '');
}

function table(heading, fields) {
  const rows = fields.map(
    ({ name, isOptional, type, comment }) =>
      `| \`${name}${isOptional ? '?' : ''}\` | \`${cell(type)}\` | ${cell(comment)} |`,
  );
  return [`| ${heading} | ${heading === 'Type' ? 'Fields' : 'Type'} | |`, '|---|---|---|', ...rows].join(
    '\n',
  );
}

function code(signature) {
  return `\`${signature}\``;
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function block(text) {
  return `\`\`\`ts\n${text.trim()}\n\`\`\``;
}
