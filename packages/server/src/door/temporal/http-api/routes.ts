/**
 * The paths of Temporal's HTTP API, derived from the annotations of its definition. A path is matched segment by segment, and
 * each segment is decoded by itself, so that an id may contain an encoded slash.
 */
import type { Procedure } from '../procedure.ts';
import type { HttpBinding } from '../protocol.ts';

export interface Route {
  readonly procedure: Procedure;
  readonly verb: string;
  readonly segments: readonly Segment[];
  /** Whether the message is the body; otherwise its fields are parameters of the query. */
  readonly hasBody: boolean;
}

/** A fixed text, or a placeholder whose text becomes a field of the request. */
type Segment = { readonly text: string } | { readonly field: readonly string[] };

export interface Match {
  readonly route: Route;
  /** The texts of the placeholders, each with the path of its field. */
  readonly fields: readonly { readonly path: readonly string[]; readonly text: string }[];
}

const verbs = ['get', 'post', 'put', 'patch', 'delete'] as const;

export function routesOf(procedures: readonly Procedure[]): readonly Route[] {
  return procedures.flatMap((procedure) =>
    bindingsOf(procedure.http).flatMap((binding) =>
      verbs.flatMap((verb) => {
        const path = binding[verb];
        if (path === undefined) return [];
        return [
          { procedure, verb: verb.toUpperCase(), segments: segmentsOf(path), hasBody: binding.body === '*' },
        ];
      }),
    ),
  );
}

function bindingsOf(binding: HttpBinding | undefined): readonly HttpBinding[] {
  if (binding === undefined) return [];
  return [binding, ...[binding.additional_bindings ?? []].flat()];
}

function segmentsOf(path: string): readonly Segment[] {
  return path
    .slice(1)
    .split('/')
    .map((text) => {
      const [, field] = /^\{(.+)\}$/.exec(text) ?? [];
      return field === undefined ? { text } : { field: field.split('.') };
    });
}

export class RouteTable {
  /** Routes by number of segments, so that a request is compared with few. */
  readonly #routes = new Map<number, Route[]>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const { length } = route.segments;
      this.#routes.set(length, [...(this.#routes.get(length) ?? []), route]);
    }
  }

  /** Finds a route. Returns undefined for an unknown path, and `verb` for a path that exists only with other verbs. */
  find(verb: string, path: string): Match | 'verb' | undefined {
    const texts = path.slice(1).split('/').map(decodeURIComponent);
    const fitting = (this.#routes.get(texts.length) ?? []).filter((route) => fits(route, texts));
    if (fitting.length === 0) return undefined;
    const route = fitting.filter((each) => each.verb === verb).sort(byFixedTexts)[0];
    if (route === undefined) return 'verb';
    const fields = route.segments.flatMap((segment, at) =>
      'field' in segment ? [{ path: segment.field, text: texts[at] as string }] : [],
    );
    return { route, fields };
  }
}

function fits({ segments }: Route, texts: readonly string[]): boolean {
  return segments.every((segment, at) => ('text' in segment ? segment.text === texts[at] : texts[at] !== ''));
}

/** Orders routes with more fixed segments first. */
function byFixedTexts(a: Route, b: Route): number {
  const count = ({ segments }: Route) => segments.filter((segment) => 'text' in segment).length;
  return count(b) - count(a);
}
