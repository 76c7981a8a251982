/** One Conductor cluster over REST: the few calls that a schedule needs. */
import type { Clock } from '../base/clock.ts';
import { Breaker } from './breaker.ts';
import { systemResolve } from './guarded-lookup.ts';
import { HostGate } from './host-gate.ts';
import type { HttpAnswer } from './http-answer.ts';
import { HttpClient } from './http-client.ts';
import { NoAnswer } from './http-exchange.ts';

/** The address of a cluster, and the credentials for it. */
export interface ConductorTarget {
  /** The address of the server, with or without `/api`. */
  readonly url: string;
  /** A token that is sent as `X-Authorization`. */
  readonly token?: string;
  /** Asks the server for a token, as Orkes clusters want it. */
  readonly keyId?: string;
  readonly keySecret?: string;
}

export interface ConductorClusterOptions {
  readonly clock: Clock;
  readonly target: ConductorTarget;
  readonly requestTimeoutMs: number;
  /** The most starts at once, and the most other requests. */
  readonly requests: number;
  readonly breaker: { readonly failures: number; readonly restMs: number };
}

export type WorkflowStatus = 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'FAILED' | 'TIMED_OUT' | 'TERMINATED';

export interface WorkflowState {
  readonly workflowId: string;
  readonly status: WorkflowStatus;
  readonly output: unknown;
  readonly reason?: string;
}

/** The cluster did not do what was asked. */
export class ClusterRefused extends Error {
  override readonly name = 'ClusterRefused';
  /** 0: no answer came. */
  readonly status: number;
  /** Whether the request cannot have had any effect. */
  readonly isUnsent: boolean;
  /** How long the breaker wants to wait. */
  readonly waitMs: number;

  constructor(message: string, { status = 0, isUnsent = false, waitMs = 0 } = {}) {
    super(message);
    this.status = status;
    this.isUnsent = isUnsent;
    this.waitMs = waitMs;
  }
}

const connectTimeoutMs = 5000;
const largestAnswer = 2 * 1024 * 1024;
/** Orkes' tokens live for an hour or more. */
const tokenMs = 30 * 60_000;

/** Starts have a limit of their own, so that polls of a thousand workflows do not delay them. */
const gates = ['starts', 'others'] as const;
type Gate = (typeof gates)[number];

export class ConductorCluster {
  readonly #options: ConductorClusterOptions;
  readonly #client: HttpClient;
  readonly #gate: HostGate;
  readonly #breaker: Breaker;
  readonly #base: string;
  #token: { readonly text: string; readonly until: number } | undefined;

  constructor(options: ConductorClusterOptions) {
    const { clock, target, requests, breaker } = options;
    this.#options = options;
    const connections = gates.length * requests;
    this.#client = new HttpClient({ clock, resolve: systemResolve, connections, connectTimeoutMs });
    this.#gate = new HostGate(requests);
    this.#breaker = new Breaker({ clock, ...breaker });
    this.#base = `${target.url.replace(/\/+$/, '').replace(/\/api$/, '')}/api`;
  }

  /** Starts a workflow and returns its id. */
  async start(request: object, signal: AbortSignal): Promise<string> {
    const { body } = await this.#ask('POST', '/workflow', signal, { gate: 'starts', body: request });
    const text = body.toString('utf8').trim();
    // Some servers answer JSON.
    return text.startsWith('"') ? (JSON.parse(text) as string) : text;
  }

  /** The workflows of a name with a correlation id, ended ones included, oldest first. */
  async correlated(
    name: string,
    correlationId: string,
    signal: AbortSignal,
  ): Promise<readonly WorkflowState[]> {
    const path = `/workflow/${encodeURIComponent(name)}/correlated/${encodeURIComponent(correlationId)}?includeClosed=true&includeTasks=false`;
    const { body } = await this.#ask('GET', path, signal, { gate: 'starts' });
    const found = JSON.parse(body.toString('utf8')) as readonly (Record<string, unknown> & {
      readonly startTime?: number;
    })[];
    return [...found].sort((a, b) => (a.startTime ?? 0) - (b.startTime ?? 0)).map(stateOf);
  }

  /** Undefined when the cluster does not know the workflow, or knows it no longer. */
  async state(id: string, signal: AbortSignal): Promise<WorkflowState | undefined> {
    try {
      const { body } = await this.#ask(
        'GET',
        `/workflow/${encodeURIComponent(id)}?includeTasks=false`,
        signal,
      );
      return stateOf(JSON.parse(body.toString('utf8')) as Record<string, unknown>);
    } catch (error) {
      if (error instanceof ClusterRefused && error.status === 404) return undefined;
      throw error;
    }
  }

  async terminate(id: string, reason: string, signal: AbortSignal): Promise<void> {
    await this.#ask(
      'DELETE',
      `/workflow/${encodeURIComponent(id)}?reason=${encodeURIComponent(reason)}`,
      signal,
    );
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #ask(
    method: string,
    path: string,
    signal: AbortSignal,
    { gate = 'others', body }: { readonly gate?: Gate; readonly body?: object } = {},
  ): Promise<HttpAnswer> {
    const waitMs = this.#breaker.waitMs();
    if (waitMs > 0) {
      const message = `the cluster at ${this.#base} does not answer; it is asked again in ${Math.ceil(waitMs / 1000)} s`;
      throw new ClusterRefused(message, { isUnsent: true, waitMs });
    }
    let leave: (() => void) | undefined;
    try {
      leave = await this.#gate.enter(gate, signal);
      const answer = await this.#send(method, path, signal, body, await this.#authorization(signal));
      if (answer.status >= 500 || answer.status === 429) this.#breaker.failed();
      else this.#breaker.answered();
      if (answer.status >= 200 && answer.status < 300) return answer;
      throw new ClusterRefused(`${method} ${path.split('?', 1)[0]}: ${answer.status} ${messageOf(answer)}`, {
        status: answer.status,
      });
    } catch (error) {
      if (!(error instanceof NoAnswer)) {
        this.#breaker.givenUp();
        throw error;
      }
      this.#breaker.failed();
      throw new ClusterRefused(`${method} ${path.split('?', 1)[0]}: ${error.message}`, {
        isUnsent: !error.sent,
      });
    } finally {
      leave?.();
    }
  }

  async #send(
    method: string,
    path: string,
    signal: AbortSignal,
    body: object | undefined,
    token: string | undefined,
  ): Promise<HttpAnswer> {
    return await this.#client.send({
      message: {
        url: new URL(`${this.#base}${path}`),
        method,
        headers: {
          'user-agent': 'carillon',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { 'x-authorization': token }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      },
      // The operator configured the address.
      allowPrivate: true,
      timeoutMs: this.#options.requestTimeoutMs,
      limit: largestAnswer,
      signal,
    });
  }

  async #authorization(signal: AbortSignal): Promise<string | undefined> {
    const { clock, target } = this.#options;
    const { token, keyId, keySecret } = target;
    if (token !== undefined || keyId === undefined || keySecret === undefined) return token;
    if (this.#token !== undefined && this.#token.until > clock.now()) return this.#token.text;
    const answer = await this.#send('POST', '/token', signal, { keyId, keySecret }, undefined);
    if (answer.status !== 200)
      throw new ClusterRefused(`POST /token: ${answer.status}`, { status: answer.status, isUnsent: true });
    const { token: text } = JSON.parse(answer.body.toString('utf8')) as { readonly token: string };
    this.#token = { text, until: clock.now() + tokenMs };
    return text;
  }
}

function stateOf(workflow: Readonly<Record<string, unknown>>): WorkflowState {
  const { workflowId, status, output, reasonForIncompletion } = workflow;
  return {
    workflowId: String(workflowId),
    status: status as WorkflowStatus,
    output: output ?? null,
    ...(typeof reasonForIncompletion === 'string' ? { reason: reasonForIncompletion } : {}),
  };
}

function messageOf({ body }: HttpAnswer): string {
  const text = body.toString('utf8');
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : text.slice(0, 300);
  } catch {
    return text.slice(0, 300);
  }
}
