/**
 * HTTP tasks: one request per task. The address is sent as it is written; redirects are not followed. An answer outside
 * 200–299 fails the task, and so does a request without an answer.
 */
import { STATUS_CODES } from 'node:http';
import type { HttpAnswer, Resolve, RunContext } from 'carillon/internal/archetype';
import {
  AddressRefused,
  HostGate,
  HttpClient,
  NoAnswer,
  NonRetryable,
  systemResolve,
} from 'carillon/internal/archetype';
import type { Clock } from 'carillon/internal/base';
import type { Parameters } from './definition.ts';
import { jsonText } from './json-text.ts';

export interface HttpTaskOptions {
  /** Whether requests may reach loopback and private addresses. Default false. */
  readonly allowPrivate?: boolean;
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve?: Resolve;
}

export interface HttpTasks {
  perform(input: Parameters, context: RunContext): Promise<Parameters>;
}

const connections = 100;
const perHost = 32;
const connectTimeoutMs = 10_000;
const defaultTimeoutMs = 30_000;
const longestTimeoutMs = 600_000;
/** The most bytes of an answer that become the output of the task. */
const largestAnswer = 1024 * 1024;

export function httpTasks({
  clock,
  allowPrivate = false,
  resolve = systemResolve,
}: HttpTaskOptions & { readonly clock: Clock }): HttpTasks {
  const client = new HttpClient({ clock, resolve, connections, connectTimeoutMs });
  const gate = new HostGate(perHost);
  return {
    perform: async (input, context) => {
      const request = requestOf(input);
      const leave = await gate.enter(request.url.host, context.signal);
      try {
        const answer = await client.send({
          message: request,
          allowPrivate,
          timeoutMs: request.timeoutMs,
          limit: largestAnswer,
          signal: context.signal,
        });
        return outputOf(answer, request);
      } catch (error) {
        throw error instanceof NoAnswer ? unanswered(error, request) : error;
      } finally {
        leave();
      }
    },
  };
}

interface Request {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeoutMs: number;
}

const methods = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;

function requestOf(input: Parameters): Request {
  const sent = (isObject(input.http_request) ? input.http_request : input) as Parameters;
  const uri = typeof sent.uri === 'string' ? sent.uri : '';
  const method = jsonText(sent.method ?? 'GET').toUpperCase();
  if (!URL.canParse(uri) || !/^https?:$/.test(new URL(uri).protocol))
    throw new NonRetryable(`Missing HTTP URI: '${uri}' is not an http(s) address`);
  if (!methods.test(method)) throw new NonRetryable(`'${method}' is not a method of HTTP`);
  const body = bodyOf(sent.body, method);
  const given = isObject(sent.headers) ? sent.headers : {};
  const headers: Record<string, string> = {
    'user-agent': 'carillon',
    accept: jsonText(sent.accept ?? 'application/json'),
    ...(body === null ? {} : { 'content-type': jsonText(sent.contentType ?? 'application/json') }),
  };
  for (const [name, value] of Object.entries(given)) {
    if (value !== null && value !== undefined)
      headers[name.toLowerCase()] = (Array.isArray(value) ? value : [value]).map(jsonText).join(', ');
  }
  return { url: new URL(uri), method, headers, body, timeoutMs: timeoutOf(sent) };
}

function bodyOf(body: unknown, method: string): string | null {
  if (body === undefined || body === null || method === 'GET' || method === 'HEAD') return null;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function timeoutOf({ readTimeOut, connectionTimeOut }: Parameters): number {
  const given = [readTimeOut, connectionTimeOut].map(Number).filter((ms) => Number.isFinite(ms) && ms > 0);
  const wanted = given.length === 0 ? defaultTimeoutMs : given.reduce((sum, ms) => sum + ms, 0);
  return Math.min(wanted, longestTimeoutMs);
}

function outputOf({ status, headers, body, truncated }: HttpAnswer, request: Request): Parameters {
  const text = body.toString('utf8');
  if (status < 200 || status > 299) {
    const said = text === '' ? '' : `: "${text.slice(0, 2000)}"`;
    throw failed(
      `${status}${STATUS_CODES[status] === undefined ? '' : ` ${STATUS_CODES[status]}`} on ${request.method} request for "${request.url.origin}${request.url.pathname}"${said}`,
    );
  }
  if (truncated)
    throw failed(`the answer has more than ${largestAnswer} bytes, the most that a task may give`);
  return {
    response: {
      statusCode: status,
      reasonPhrase: STATUS_CODES[status] ?? '',
      headers: listed(headers),
      body: bodyValue(text, headers['content-type']),
    },
  };
}

/** The failure of a request. Its error is the `response`, as in the original: `output.response.statusCode` is then null. */
function failed(message: string): Error {
  return Object.assign(new Error(`Failed to invoke HTTP task due to: ${message}`), {
    details: { response: message },
  });
}

function unanswered(error: NoAnswer, request: Request): Error {
  const message = `${request.method} ${request.url.origin}: ${error.message}`;
  if (!(error.cause instanceof AddressRefused)) return failed(message);
  return Object.assign(
    new NonRetryable(`${message}; this server does not permit such targets (allowPrivateTargets)`),
    {},
  );
}

function listed(headers: HttpAnswer['headers']): Parameters {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : [String(value ?? '')],
    ]),
  );
}

function bodyValue(text: string, type: unknown): unknown {
  if (text === '') return null;
  if (String(type ?? '').includes('text/plain')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
