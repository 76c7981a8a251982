/** The API reference for people: one page without scripts that loads nothing. */
import { createHash } from 'node:crypto';
import type { DocumentedField, Json } from './docs-fields.ts';
import { escaped, fieldTable, prose, schemaTable } from './docs-fields.ts';
import { docsStyle } from './docs-style.ts';
import { pathOf } from './openapi.ts';
import type { Operation } from './operation.ts';

interface Documented {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Json;
  }[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<Record<string, { readonly content?: Json }>>;
}

/** The content security policy: the page may use this style sheet and nothing else. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(docsStyle).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const tones: Readonly<Record<Operation['method'], string>> = {
  GET: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'end',
};

export function docsPage(operations: readonly Operation[], document: Json, prefix: string): string {
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = operation.path.split('/')[1] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), operation]);
  }
  const sections = [...groups].map(([group, members]) => {
    const each = members.map((one) => section(one, paths[pathOf(one)]?.[one.method.toLowerCase()]));
    return `<h2 id="${escaped(group)}">${titleOf(group)}</h2>${each.join('')}`;
  });
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Json>> };
  const shapes = Object.entries(schemas).map(
    ([name, schema]) =>
      `<h3 id="${escaped(name)}"><code>${escaped(name)}</code></h3>${typeof schema.description === 'string' ? `<p class="dim">${prose(schema.description)}</p>` : ''}${schemaTable(schema)}`,
  );
  const links = [...groups.keys(), 'shapes'].map(
    (group) => `<a href="#${escaped(group)}">${titleOf(group)}</a>`,
  );
  const { version } = document.info as { readonly version: string };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Carillon API</title><meta name="viewport" content="width=device-width,initial-scale=1"><style>${docsStyle}</style></head><body>
<h1>Carillon API</h1>
<p class="lead">Version ${escaped(version)}. The same for machines: <a href="${prefix}/openapi.json">openapi.json</a>.</p>
<nav>${links.join('')}</nav>
<p>Every path here follows <code>${prefix}</code>. An id is one percent-encoded segment. Another namespace is named by <code>${prefix}/namespaces/{namespace}/…</code> or the header <code>Carillon-Namespace</code>.</p>
<p>Errors are <code>{"error": {"code", "reason", "message", "problems", "requestId"}}</code>; switch on <code>reason</code>. A live stream of changes is at <code>${prefix}/events</code> (server-sent events).</p>
${sections.join('\n')}
<h2 id="shapes">Shapes</h2>${shapes.join('\n')}
</body></html>`;
}

function section(operation: Operation, documented: Documented | undefined): string {
  const { id, method, summary, role } = operation;
  const { parameters = [], requestBody, responses = {} } = documented ?? {};
  const fields: readonly DocumentedField[] = parameters.map(
    ({ name, in: where, required, description, schema }) => ({
      name,
      schema,
      place: required === true ? `${where}, required` : where,
      description,
    }),
  );
  const bodies = [
    ...(requestBody === undefined ? [] : [['Takes', requestBody.content, false] as const]),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      content === undefined || status === 'default'
        ? []
        : [[`Answers ${status} with`, content, true] as const],
    ),
  ];
  return `<details id="${escaped(id)}"><summary><b class="${tones[method]}">${method}</b><code>${escaped(pathOf(operation))}</code><span>${prose(summary)}</span></summary><div>
<p>Needs the role <b>${role}</b>. <span class="dim">Operation <code>${escaped(id)}</code>.</span></p>
${fields.length === 0 ? '' : fieldTable(fields)}
${bodies.map(([title, content, isAnswer]) => `<h3>${title}</h3>${schemaTable((content['application/json'] as { schema: Json }).schema, isAnswer)}`).join('')}
</div></details>`;
}

function titleOf(group: string): string {
  return escaped(group.charAt(0).toUpperCase() + group.slice(1));
}
