/**
 * One request and its answer. It ends once: with the whole answer, with its beginning up to the limit, or with an
 * error. Later events are ignored, and a request that has not been sent by then is not sent.
 */
import type { Dispatcher } from 'undici';
import { plainDuration } from '../base/duration.ts';
import type { HttpAnswer } from './http-answer.ts';

/** The error of a request without a complete answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** Whether the request was sent. Only if not, it is certain that no work started. */
  readonly sent: boolean;

  constructor(message: string, options: { readonly sent: boolean; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.sent = options.sent;
  }
}

export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpAnswer>;
  readonly #limit: number;
  #resolve!: (answer: HttpAnswer) => void;
  #reject!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #ended = false;
  #sent = false;
  #status = 0;
  #headers: HttpAnswer['headers'] = {};
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('given up before it was sent'));
    else this.#sent = true;
  }

  onResponseStart(_: unknown, status: number, headers: HttpAnswer['headers']): void {
    // A status 1xx is informational; the answer follows.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#ended) return;
    const room = this.#limit - this.#size;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#size += Math.min(chunk.length, room);
    if (chunk.length > room) this.#finish(true);
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_: unknown, error: Error): void {
    const what = this.#status === 0 ? '' : `the answer (${this.#status}) broke off: `;
    this.give(new NoAnswer(`${what}${messageOf(error)}`, { sent: this.#sent, cause: error }));
  }

  timeIsUp(timeoutMs: number): void {
    const what = this.#status === 0 ? 'no answer' : `the answer (${this.#status}) was not complete`;
    this.give(new NoAnswer(`${what} within ${plainDuration(timeoutMs)}`, { sent: this.#sent }));
  }

  /** Ends the exchange with an error. */
  give(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reject(error);
    this.#controller?.abort(new Error('given up'));
  }

  #finish(truncated: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    const body = Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body, truncated });
    if (truncated) this.#controller?.abort(new Error('the rest is not wanted'));
  }
}

/** When several addresses were tried, Node's error has no message of its own. */
function messageOf(error: Error): string {
  const inner = error instanceof AggregateError ? (error.errors as readonly Error[]) : [];
  const texts = [error.message, ...inner.map(({ message }) => message)].filter((text) => text !== '');
  return texts.length === 0 ? String((error as { code?: unknown }).code ?? error.name) : texts.join('; ');
}
