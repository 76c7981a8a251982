/**
 * Secrets by reference: `${secret:NAME}` in a header, an address, a body or a variable of a command stands for a value that
 * the process which does the work looks up. The value is used and forgotten: stored and shown is only the reference.
 */
import type { Problem } from '../base/error.ts';
import type { RunContext } from '../runs/context.ts';
import { ActionFailed, isActionFailed, nothingBegan } from './action-failed.ts';

/** Finds the value of a secret by its name, among those that this process may hand out. */
export type Secrets = (name: string) => string | undefined;

/** Upper case, so that a value written by mistake where a name belongs is refused instead of shown. */
const nameShape = /^[A-Z][A-Z0-9_]{0,127}$/;
const reference = /\$\{secret:([^}]*)\}/g;
/** A reference as messages show it. */
export const exampleReference = ['$', '{secret:NAME}'].join('');
/** Shorter values are found everywhere by accident, so they are not looked for in outputs. */
const shortestConcealed = 4;

export function isSecretName(name: string): boolean {
  return nameShape.test(name);
}

export function hasReference(text: string): boolean {
  return text.includes('${secret:');
}

/** What is wrong with the references in a text. */
export function referenceProblems(path: string, text: string): readonly Problem[] {
  return [...text.matchAll(reference)]
    .filter(([, name = '']) => !isSecretName(name))
    .map(() => badName(path));
}

export function nameProblems(path: string, name: string | undefined): readonly Problem[] {
  return name === undefined || isSecretName(name) ? [] : [badName(path)];
}

/** Does not repeat what was written: it may be the secret itself. */
function badName(path: string): Problem {
  return {
    path,
    reason: 'BAD_SECRET_NAME',
    message: 'not the name of a secret',
    fix: 'write a name of capital letters, digits and underscores, e.g. HOOK_TOKEN; the value belongs into the source of secrets',
  };
}

/** The secrets of one attempt: resolves references, and takes the values out of what the attempt brought back. */
export class AttemptSecrets {
  readonly #secrets: Secrets;
  readonly #context: RunContext<unknown>;
  /** Every form in which a value was handed out, with its name. */
  readonly #written = new Map<string, string>();

  constructor(secrets: Secrets, context: RunContext<unknown>) {
    this.#secrets = secrets;
    this.#context = context;
  }

  /** The value of one secret. Trying again helps: another process may have it, or this one after its restart. */
  value(name: string): string {
    const value = isSecretName(name) ? this.#secrets(name) : undefined;
    if (value === undefined || value === '') {
      throw new ActionFailed({
        message: `the secret '${name}' is not among the secrets of this process`,
        type: 'SecretMissing',
        startFailed: nothingBegan(this.#context),
      });
    }
    this.#written.set(value, name);
    return value;
  }

  /** The text with its references replaced by values, each written as `encode` says. */
  resolve(text: string, encode: (value: string) => string = (value) => value): string {
    if (!hasReference(text)) return text;
    return text.replace(reference, (_, name: string) => {
      const encoded = encode(this.value(name));
      this.#written.set(encoded, name);
      return encoded;
    });
  }

  /** Plain data in which values that were used are references again. */
  conceal<T>(data: T): T {
    return this.#written.size === 0 ? data : (mapTexts(data, (text) => this.#concealed(text)) as T);
  }

  /** A failure whose words hold no value. */
  concealFailure(error: unknown): unknown {
    if (this.#written.size === 0 || !isActionFailed(error)) return error;
    const { name, message, details, nonRetryable, startFailed, retryAfterMs } = error;
    return new ActionFailed({
      message: this.#concealed(message),
      type: name,
      nonRetryable,
      startFailed,
      ...(details === undefined ? {} : { details: this.conceal(details) }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }

  #concealed(text: string): string {
    let concealed = text;
    for (const [value, name] of this.#written) {
      if (value.length >= shortestConcealed) concealed = concealed.replaceAll(value, `\${secret:${name}}`);
    }
    return concealed;
  }
}

function mapTexts(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === 'string') return change(data);
  if (Array.isArray(data)) return data.map((each) => mapTexts(each, change));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mapTexts(value, change)]));
}
