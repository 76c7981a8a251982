/**
 * Texts of the form as they are typed. A field shows its text and not the value that was read from it, so that `billing, ` does
 * not lose its comma while a person goes on typing. A text that cannot be read changes nothing in the definition; it is named
 * beside its field and beside the button, and nothing is saved before it can be read or is taken back. Pure.
 */
import type { Draft } from './draft.ts';

export interface Typed {
  readonly text: string;
  /** The name of the field for people. */
  readonly label: string;
  /** The value in the definition when the text was typed, as JSON. Another value there means that the text is outdated. */
  readonly of: string;
  /** Why the text cannot be read. */
  readonly problem?: string;
}

/** By the path of the value in the definition; the whole definition has the path ''. */
export type TypedTexts = Readonly<Record<string, Typed>>;

export type Reading = { readonly value: unknown } | { readonly problem: string };

/** The value at a path such as `spec.zone`. */
export function valueAt(draft: Draft, path: string): unknown {
  let value: unknown = draft;
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** The definition with another value at the path, which names items of lists by their place. Undefined takes the value away, and the objects that it leaves empty. */
export function withValue(draft: Draft, path: string, value: unknown): Draft {
  const [name = '', ...deeper] = path.split('.');
  const { [name]: inner, ...rest } = draft;
  if (Array.isArray(inner) && deeper.length > 0) {
    const [place, ...within] = deeper;
    const change = (item: unknown) =>
      within.length === 0 ? value : withValue(isFields(item) ? item : {}, within.join('.'), value);
    return { ...draft, [name]: inner.map((item, index) => (String(index) === place ? change(item) : item)) };
  }
  if (deeper.length === 0) return value === undefined ? rest : { ...draft, [name]: value };
  const next = withValue(isFields(inner) ? inner : {}, deeper.join('.'), value);
  return Object.keys(next).length === 0 && value === undefined ? rest : { ...draft, [name]: next };
}

function isFields(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const jsonAt = (draft: Draft, path: string) => String(JSON.stringify(valueAt(draft, path)));

export interface Entry {
  readonly path: string;
  readonly label: string;
  readonly text: string;
  /** Why it cannot be read; undefined for a text that was read into the definition. */
  readonly problem?: string | undefined;
}

/** `draft` is the definition after the text was read. */
export function withTyped(
  texts: TypedTexts,
  draft: Draft,
  { path, label, text, problem }: Entry,
): TypedTexts {
  const typed = { text, label, of: jsonAt(draft, path), ...(problem === undefined ? {} : { problem }) };
  return { ...texts, [path]: typed };
}

/** What was typed at the path; undefined when the value came from elsewhere since. */
export function typedAt(texts: TypedTexts, draft: Draft, path: string): Typed | undefined {
  const typed = texts[path];
  return typed === undefined || typed.of !== jsonAt(draft, path) ? undefined : typed;
}

export interface Unread {
  readonly path: string;
  readonly label: string;
  readonly problem: string;
}

/** Texts that cannot be read, in the order in which they were first typed. */
export function unreadOf(texts: TypedTexts, draft: Draft): readonly Unread[] {
  return Object.keys(texts).flatMap((path) => {
    const { label, problem } = typedAt(texts, draft, path) ?? {};
    return label === undefined || problem === undefined ? [] : [{ path, label, problem }];
  });
}
