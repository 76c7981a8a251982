/**
 * Schedules declared in a file, one document or several. JSON is parsed here; a parser for YAML, which the server
 * package has, is passed in.
 *
 * As YAML:
 *
 * ```yaml
 * owner: billing            # whose schedules these are
 * name: invoices            # which of the owner's manifests this is; prune touches only what this one made
 * namespace: default        # optional
 * defaults: { zone: Europe/Berlin }
 * schedules:
 *   - id: invoices
 *     cron: '0 6 1 * *'
 *     run: invoices
 * ```
 *
 * All problems of the whole file are reported at once, each with its line. A file with a problem is not used at all.
 */
import { kindNames } from '../action/kind.ts';

import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import type { Declarer } from '../service/declaration.ts';
import type { DefinitionDraft } from '../service/definition-draft.ts';
import { bytesOf, longestId } from '../service/limits.ts';
import { sourceFields } from '../service/schedule-fields.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';
import { readScheduleInput } from '../service/schedule-input.ts';
import { jsonDocuments } from './json-documents.ts';
import type { DocumentParser, ManifestDocument, ManifestPath as Path } from './manifest-document.ts';

export interface ManifestProblem extends Problem {
  readonly line: number;
}

export interface ManifestEntry {
  readonly id: string;
  readonly line: number;
  /** The input, with defaults and owner merged in. */
  readonly input: ScheduleInput;
  /** The checked and complete draft of the input. */
  readonly draft: DefinitionDraft;
}

/** The declared schedules of one manifest of an owner in one namespace. */
export interface Manifest extends Declarer {
  /** The namespace; undefined when the command line or the server decides. */
  readonly namespace?: string;
  readonly entries: readonly ManifestEntry[];
}

export type ReadManifest =
  | { readonly ok: true; readonly manifests: readonly Manifest[] }
  | { readonly ok: false; readonly problems: readonly ManifestProblem[] };

export interface ManifestOptions {
  /** The owner; it takes precedence over the file's. */
  readonly owner?: string;
  /** The parser of the text. Default: JSON. */
  readonly parse?: DocumentParser;
}

type Fields = Readonly<Record<string, unknown>>;

const topFields = ['owner', 'name', 'namespace', 'defaults', 'schedules'];

/** The most characters of a manifest's name. */
const longestName = 200;
/** The name of a manifest without a `name`. */
const defaultName = 'default';
const whenFields = Object.keys(sourceFields);

export function readManifest(text: string, options: ManifestOptions = {}): ReadManifest {
  const problems: ManifestProblem[] = [];
  const documents = (options.parse ?? jsonDocuments)(text);
  const manifests: Manifest[] = [];
  const known = new Map<string, number>();
  let before: Partial<Declarer> = given({ owner: options.owner });
  for (const document of documents) {
    for (const error of document.errors) problems.push({ path: '', ...error });
    // A document with only comments is skipped.
    if (document.errors.length > 0 || document.value === null) continue;
    const found = new DocumentReader(document, problems).read(before, known);
    if (found === undefined) continue;
    before = { ...found, ...given({ owner: options.owner }) };
    manifests.push(found);
  }
  if (problems.length === 0 && manifests.length === 0) {
    const fix = 'write owner: and schedules:; carillon help apply has an example';
    problems.push({ path: '', reason: 'EMPTY', message: 'the file declares no schedules', fix, line: 1 });
  }
  if (problems.length > 0) return { ok: false, problems: problems.sort((a, b) => a.line - b.line) };
  return { ok: true, manifests: joined(manifests) };
}

class DocumentReader {
  readonly #document: ManifestDocument;
  readonly #problems: ManifestProblem[];

  constructor(document: ManifestDocument, problems: ManifestProblem[]) {
    this.#document = document;
    this.#problems = problems;
  }

  /**
   * Reads the document. `before` has the owner and declaration of the previous document, which apply unless this one
   * gives its own.
   */
  read(before: Partial<Declarer>, known: Map<string, number>): Manifest | undefined {
    const top = this.#document.value;
    if (!isFields(top)) {
      this.#refuse([], 'NOT_A_MANIFEST', 'not a manifest', 'write owner: and schedules: at the top');
      return undefined;
    }
    for (const name of Object.keys(top)) {
      if (topFields.includes(name)) continue;
      const fix = `the top has ${topFields.join(', ')}; fields of a schedule stand under schedules`;
      this.#refuse([name], 'UNKNOWN_FIELD', `unknown field '${name}'`, fix);
    }
    const { owner = before.owner, name, namespace, defaults = {} } = top;
    if (typeof owner !== 'string' || owner === '') {
      const fix =
        'add owner: with the name of the service or team; prune never touches schedules of other owners';
      this.#refuse(['owner'], 'OWNER_MISSING', 'the owner of these schedules is missing', fix);
    }
    if (name !== undefined && (typeof name !== 'string' || name === '' || name.length > longestName)) {
      const message = `not a text of 1 to ${longestName} characters`;
      this.#refuse(
        ['name'],
        'INVALID_TYPE',
        message,
        'write a short name, another for each file of the owner',
      );
    }
    const usual = before.declaredBy ?? declarationOf(defaultName);
    const declaredBy = typeof name === 'string' ? declarationOf(name) : usual;
    if (namespace !== undefined && (typeof namespace !== 'string' || namespace === ''))
      this.#refuse(['namespace'], 'INVALID_TYPE', 'not a text');
    if (!isFields(defaults)) {
      this.#refuse(['defaults'], 'INVALID_TYPE', 'not an object', 'write e.g. defaults: { zone: UTC }');
      return undefined;
    }
    const scope = typeof namespace === 'string' ? namespace : '';
    const entries = this.#listed(top.schedules).flatMap(({ path, id, fields }) => {
      const declarer = { owner: owner as string, declaredBy };
      const entry = this.#entry({ path, id, fields, defaults, declarer });
      const key = `${scope}\n${String(id)}`;
      const other = known.get(key);
      known.set(key, this.#line(path));
      if (other === undefined || id === undefined) return entry === undefined ? [] : [entry];
      this.#refuse(path, 'DUPLICATE_ID', `'${String(id)}' is declared twice, first on line ${other}`);
      return [];
    });
    return { owner: owner as string, declaredBy, ...(scope === '' ? {} : { namespace: scope }), entries };
  }

  /** A list of objects with an id, or an object by id. */
  #listed(schedules: unknown): readonly { path: Path; id: unknown; fields: unknown }[] {
    if (Array.isArray(schedules)) {
      return schedules.map((each: unknown, index) => {
        const path = ['schedules', index];
        if (!isFields(each)) return { path, id: undefined, fields: each };
        const { id, ...fields } = each;
        return { path, id, fields };
      });
    }
    if (isFields(schedules))
      return Object.entries(schedules).map(([id, fields]) => ({ path: ['schedules', id], id, fields }));
    if (schedules !== null && schedules !== undefined)
      this.#refuse(['schedules'], 'INVALID_TYPE', 'not a list', 'write - id: name, then its fields below');
    else
      this.#refuse(
        ['schedules'],
        'SCHEDULES_MISSING',
        'there is no list of schedules',
        'write schedules: []',
      );
    return [];
  }

  #entry(entry: { path: Path; id: unknown; fields: unknown; defaults: Fields; declarer: Declarer }) {
    const { path, id, fields, defaults, declarer } = entry;
    if (!isFields(fields)) {
      this.#refuse(path, 'INVALID_TYPE', 'not an object', 'write id, when and what; see carillon help apply');
      return undefined;
    }
    if (typeof id !== 'string' || id === '' || bytesOf(id) > longestId) {
      const fix = 'write a short name such as nightly-report';
      this.#refuse([...path, 'id'], 'BAD_ID', `the id must be a text of 1 to ${longestId} bytes`, fix);
      return undefined;
    }
    if (fields.owner !== undefined && fields.owner !== declarer.owner) {
      const fix = 'declare it in a document of its own, with that owner at the top';
      this.#refuse(
        [...path, 'owner'],
        'OTHER_OWNER',
        'the owner differs from the owner of the document',
        fix,
      );
    }
    if (fields.declaredBy !== undefined) {
      const fix = 'remove it; it is derived from the name of the manifest';
      this.#refuse(
        [...path, 'declaredBy'],
        'OTHER_DECLARATION',
        'the manifest sets this field for all its schedules',
        fix,
      );
    }
    const input = { ...inherited(defaults, fields), ...fields, ...declarer } as ScheduleInput;
    try {
      return { id, line: this.#line(path), input, draft: readScheduleInput(input) };
    } catch (error) {
      const { problems, message } = ServiceError.from(error);
      if (problems.length === 0) this.#refuse(path, 'INVALID', message);
      for (const problem of problems) this.#blame(path, fields, problem, id);
      return undefined;
    }
  }

  /** A problem of a field that the entry does not have is reported at the defaults. */
  #blame(path: Path, fields: Fields, problem: Problem, id: string): void {
    const steps = stepsOf(problem.path);
    const [first] = steps;
    const isOwn =
      first === undefined || first in fields || this.#document.line(['defaults', first]) === undefined;
    const place = isOwn ? [...path, ...steps] : ['defaults', ...steps];
    const line = this.#line(place);
    this.#problems.push({ ...problem, path: problem.path === '' ? id : `${id}.${problem.path}`, line });
  }

  #refuse(path: Path, reason: string, message: string, fix?: string): void {
    const text = path.map((step, at) =>
      typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`,
    );
    const problem = { path: text.join(''), reason, message, line: this.#line(path) };
    this.#problems.push(fix === undefined ? problem : { ...problem, fix });
  }

  /** The line of the field, or of the nearest enclosing one that exists. */
  #line(path: Path): number {
    for (let length = path.length; length >= 0; length -= 1) {
      const line = this.#document.line(path.slice(0, length));
      if (line !== undefined) return line;
    }
    return 1;
  }
}

/**
 * An entry with its own source of times, or its own action, inherits none of the defaults for it, because a mixture
 * would be ambiguous.
 */
function inherited(defaults: Fields, fields: Fields): Fields {
  const says = (names: readonly string[]) => names.some((name) => fields[name] !== undefined);
  const left = [...(says(whenFields) ? whenFields : []), ...(says(kindNames) ? kindNames : [])];
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !left.includes(name)));
}

/** The steps of a path such as `command.argv[0]`. */
function stepsOf(path: string): Path {
  return [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of `declaredBy` in schedules of a manifest. */
function declarationOf(name: string): string {
  return `manifest:${name}`;
}

/** Joins documents of the same name, owner and namespace into one declaration, because prune must see all of it. */
function joined(manifests: readonly Manifest[]): readonly Manifest[] {
  const byOwner = new Map<string, Manifest>();
  for (const manifest of manifests) {
    const key = [manifest.namespace ?? '', manifest.owner, manifest.declaredBy].join('\n');
    const before = byOwner.get(key);
    byOwner.set(
      key,
      before === undefined ? manifest : { ...before, entries: [...before.entries, ...manifest.entries] },
    );
  }
  return [...byOwner.values()];
}
