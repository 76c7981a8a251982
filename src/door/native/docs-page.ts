/** The API for people: one page, no script, nothing loaded from anywhere. */
import { createHash } from 'node:crypto';
import { pathOf } from './openapi.ts';
import type { Operation } from './operation.ts';

type Json = Record<string, unknown>;

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

const style = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--dim:#888}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{margin-bottom:0}h2{margin:2.5rem 0 .5rem;text-transform:capitalize}
p.lead{color:var(--dim)}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0}
summary{cursor:pointer;padding:.5rem .8rem;display:flex;gap:.8rem;flex-wrap:wrap}
summary:hover{background:var(--soft)}
summary b{width:4.2rem;font-family:ui-monospace,monospace}
summary code{min-width:20rem}
details>div{padding:.2rem .8rem 1rem;border-top:1px solid var(--line)}
table{border-collapse:collapse;width:100%;font-size:.92em}
td,th{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
pre{background:var(--soft);padding:.7rem;overflow:auto;border-radius:6px;font-size:.85em;max-height:26rem}
code{font-family:ui-monospace,monospace}
`;

/** Nothing but this very style sheet may act on the page. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function docsPage(operations: readonly Operation[], document: Json, prefix: string): string {
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = operation.path.split('/')[1] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), operation]);
  }
  const sections = [...groups].map(
    ([group, members]) =>
      `<h2>${text(group)}</h2>${members
        .map((each) => section(each, paths[pathOf(each)]?.[each.method.toLowerCase()], prefix))
        .join('')}`,
  );
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Json>> };
  const shapes = Object.entries(schemas).map(
    ([name, schema]) =>
      `<details id="${text(name)}"><summary><code>${text(name)}</code></summary><div>${json(schema)}</div></details>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Carillon API</title><meta name="viewport" content="width=device-width,initial-scale=1"><style>${style}</style></head><body>
<h1>Carillon API</h1>
<p class="lead">Version ${text(String((document.info as { version: string }).version))}. The same for machines: <a href="${prefix}/openapi.json">openapi.json</a>.</p>
<p>Ids are one percent-encoded segment of the path. Another namespace than <code>default</code> is named by <code>${prefix}/namespaces/{namespace}/…</code> or the header <code>Carillon-Namespace</code>. Errors are <code>{"error":{"code","reason","message","problems","requestId"}}</code>; switch on <code>reason</code>. A live stream of changes is at <code>${prefix}/events</code> (server-sent events).</p>
${sections.join('\n')}
<h2>Shapes</h2>${shapes.join('\n')}
</body></html>`;
}

function section(operation: Operation, documented: Documented | undefined, prefix: string): string {
  const { method, summary, role } = operation;
  const { parameters = [], requestBody, responses = {} } = documented ?? {};
  const rows = parameters.map(
    (each) =>
      `<tr><td><code>${text(each.name)}</code></td><td>${text(each.in)}${each.required === true ? ', required' : ''}</td><td>${text(kindOf(each.schema))}</td><td>${text(each.description ?? '')}</td></tr>`,
  );
  const bodies = [
    ...(requestBody === undefined ? [] : [['Takes', requestBody.content] as const]),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      content === undefined || status === 'default' ? [] : [[`Answers ${status}`, content] as const],
    ),
  ];
  return `<details><summary><b>${method}</b><code>${text(prefix + pathOf(operation))}</code><span>${text(summary)}</span></summary><div>
<p>Needs the role <b>${role}</b>.</p>
${rows.length === 0 ? '' : `<table><tr><th>Name</th><th>Where</th><th>Kind</th><th>Meaning</th></tr>${rows.join('')}</table>`}
${bodies.map(([title, content]) => `<p>${title}</p>${json((content['application/json'] as { schema: Json }).schema)}`).join('')}
</div></details>`;
}

function kindOf(schema: Json): string {
  const { type, enum: values, anyOf, default: fallback } = schema;
  const kind = Array.isArray(values)
    ? values.join(' | ')
    : Array.isArray(anyOf)
      ? [...new Set(anyOf.map((each) => kindOf(each as Json)))].join(' or ')
      : type === 'array'
        ? `several ${kindOf((schema.items ?? {}) as Json)}`
        : String(type ?? '');
  return fallback === undefined ? kind : `${kind} (default ${String(fallback)})`;
}

function json(value: unknown): string {
  const shown = text(JSON.stringify(value, undefined, 2));
  return `<pre>${shown.replace(/#\/components\/schemas\/(\w+)/g, '<a href="#$1">$1</a>')}</pre>`;
}

function text(raw: string): string {
  return raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
