/**
 * Secrets by reference: `${secret:NAME}` in a header, an address, a body or a variable of a command stands for a
 * value that the process which does the work looks up. The process does not keep the value; only the reference is
 * stored and shown.
 */
import type { Problem } from '../base/error.ts';
import type { RunContext } from '../runs/context.ts';
import { ActionFailed, isActionFailed, nothingBegan } from './action-failed.ts';

/** Finds the value of a secret by its name in the sources of this process. */
export type Secrets = (name: string) => string | undefined;

/** Names are upper case, so that a value written in place of a name is refused instead of shown. */
const nameShape = /^[A-Z][A-Z0-9_]{0,127}$/;
const reference = /\$\{secret:([^}]*)\}/g;
/** An example of a reference, for messages. */
export const exampleReference = ['$', '{secret:NAME}'].join('');
/** Shorter values occur in outputs by accident, so they are not concealed. */
const shortestConcealed = 4;

export function isSecretName(name: string): boolean {
  return nameShape.test(name);
}

export function hasReference(text: string): boolean {
  return text.includes('${secret:');
}

/** The problems of the references in a text. */
export function referenceProblems(path: string, text: string): readonly Problem[] {
  return [...text.matchAll(reference)]
    .filter(([, name = '']) => !isSecretName(name))
    .map(() => badName(path));
}

export function nameProblems(path: string, name: string | undefined): readonly Problem[] {
  return name === undefined || isSecretName(name) ? [] : [badName(path)];
}

/** The message does not repeat the text, which may be the secret itself. */
function badName(path: string): Problem {
  return {
    path,
    reason: 'BAD_SECRET_NAME',
    message: 'not the name of a secret',
    fix: 'write a name of capital letters, digits and underscores, e.g. HOOK_TOKEN; the value belongs in the source of secrets',
  };
}

/** The secrets of one attempt: resolves references, and removes the values from the attempt's results. */
export class AttemptSecrets {
  readonly #secrets: Secrets;
  readonly #context: RunContext<unknown>;
  /** Every encoded form of a used value, with its name. */
  readonly #written = new Map<string, string>();

  constructor(secrets: Secrets, context: RunContext<unknown>) {
    this.#secrets = secrets;
    this.#context = context;
  }

  /**
   * The value of one secret. A missing secret is a retryable failure: another process may have it, or this one after
   * a restart.
   */
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

  /** The text with its references replaced by their values, each encoded by `encode`. */
  resolve(text: string, encode: (value: string) => string = (value) => value): string {
    if (!hasReference(text)) return text;
    return text.replace(reference, (_, name: string) => {
      const encoded = encode(this.value(name));
      this.#written.set(encoded, name);
      return encoded;
    });
  }

  /** The data with all used values replaced by their references. */
  conceal<T>(data: T): T {
    return this.#written.size === 0 ? data : (mapTexts(data, (text) => this.#concealed(text)) as T);
  }

  /** The failure with all used values replaced by their references. */
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
