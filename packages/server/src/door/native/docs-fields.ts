/** Renders a JSON schema as a table of fields with name, type and meaning. */

export type Json = Readonly<Record<string, unknown>>;

interface Row {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** Nested fields are shown with their path, down to this depth. */
const deepest = 3;

/** Returns HTML. A table of a request marks required fields; a table of an answer marks optional ones. */
export function schemaTable(schema: Json, isAnswer = false): string {
  const rows = rowsOf(schema, '', 0);
  if (rows.length === 0) return `<p>${kindOf(schema)}</p>`;
  const place = ({ isRequired }: Row) =>
    isAnswer ? (isRequired ? '' : 'optional') : isRequired ? 'required' : '';
  return fieldTable(rows.map((row) => ({ ...row, place: place(row) })));
}

export interface DocumentedField {
  readonly name: string;
  readonly schema: Json;
  /** Where the field is sent and whether it is required. */
  readonly place: string;
  readonly description?: string | undefined;
}

export function fieldTable(fields: readonly DocumentedField[]): string {
  const rows = fields.map(({ name, schema, place, description }) => {
    const meaning = description ?? textOf(schema.description);
    return `<tr><td><code>${escaped(name)}</code> <small>${escaped(place)}</small></td><td>${kindOf(schema)}</td><td>${prose(meaning)}</td></tr>`;
  });
  return `<table><tr><th>Field</th><th>Kind</th><th>Meaning</th></tr>${rows.join('')}</table>`;
}

function rowsOf(schema: Json, prefix: string, depth: number): readonly Row[] {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, Json>> };
  if (properties === undefined) return [];
  const required = new Set((schema.required ?? []) as readonly string[]);
  return Object.entries(properties).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`;
    const row = { name: path, schema: inner, isRequired: required.has(name) };
    return depth + 1 >= deepest ? [row] : [row, ...innerRows(inner, path, depth + 1)];
  });
}

/** The rows of the fields inside an object, a list of objects, or a union of these with null. */
function innerRows(schema: Json, path: string, depth: number): readonly Row[] {
  if (schema.properties !== undefined) return rowsOf(schema, `${path}.`, depth);
  if (isSchema(schema.items)) return innerRows(schema.items, `${path}[]`, depth);
  return variantsOf(schema).flatMap((each) => innerRows(each, path, depth));
}

/** Returns HTML, because a type may be a link to a named schema. */
export function kindOf(schema: Json): string {
  const { type, enum: values, const: only, default: fallback, $ref } = schema;
  const usual =
    fallback === undefined ? '' : ` <span class="dim">(default ${escaped(JSON.stringify(fallback))})</span>`;
  const variants = variantsOf(schema);
  const kind =
    typeof $ref === 'string'
      ? shapeLink($ref)
      : Array.isArray(values)
        ? values.map((value) => `<code>${escaped(String(value))}</code>`).join(' | ')
        : only !== undefined
          ? `<code>${escaped(JSON.stringify(only))}</code>`
          : variants.length > 0
            ? [...new Set(variants.map(kindOf))].join(' or ')
            : type === 'array'
              ? `list of ${isSchema(schema.items) ? kindOf(schema.items) : 'anything'}`
              : type === 'object' && schema.properties === undefined
                ? 'object of any fields'
                : Array.isArray(type)
                  ? type.join(' or ')
                  : textOf(type) || 'anything';
  return kind + usual;
}

function variantsOf({ anyOf, oneOf }: Json): readonly Json[] {
  const variants = anyOf ?? oneOf;
  return Array.isArray(variants) ? (variants as readonly Json[]) : [];
}

function shapeLink(reference: string): string {
  const name = escaped(reference.split('/').at(-1) ?? '');
  return `<a href="#${name}">${name}</a>`;
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Renders text with backticks as code. */
export function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

export function escaped(raw: string): string {
  return raw
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
