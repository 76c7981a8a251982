/** `http`: the fields of a schedule that sends an HTTP request, and their validation. */
import { z } from 'zod';
import type { Problem } from '../base/error.ts';
import { durationFix, field, type InputOf, needed, timeoutShape } from '../base/fields.ts';
import { given } from '../base/given.ts';
import { workElsewhere } from './action-kind.ts';
import { exampleReference, nameProblems, referenceProblems } from './secret.ts';

const fields = {
  url: needed(z.string(), 'write e.g. https://example.com/hook'),
  /** The method. Default POST. */
  method: field(z.enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE']), 'write POST, PUT, PATCH, GET or DELETE'),
  headers: field(z.record(z.string(), z.string()), 'write names with texts'),
  /**
   * The body. A text is sent as it is, other values as JSON. Default: a JSON envelope with schedule, slot, run and
   * `input`.
   */
  body: field(z.unknown(), 'write plain data'),
  /** The longest duration of one request; default 30 s. */
  timeout: field(timeoutShape, durationFix),
  /** How long to wait for the callback after a 202, where callbacks are configured; default 24 h. */
  callbackTimeout: field(timeoutShape, durationFix),
  /** The name of the secret that signs the requests, as in `${secret:NAME}`. */
  secret: field(z.string().min(1).max(255), 'write the name of a secret, e.g. HOOK_SECRET'),
  /** Whether loopback and private addresses are allowed. Default false; a process may refuse it in its configuration. */
  allowPrivate: field(z.boolean(), 'write true or false'),
};

export interface HttpInput extends InputOf<typeof fields> {}

export const httpKind = workElsewhere<'http', HttpInput>({
  kind: 'http',
  schema: field(z.strictObject(fields), "write e.g. { url: 'https://example.com/hook' }"),
  problems: httpProblems,
  sensitive: (target, visit) => ({
    ...target,
    url: visitAddress(target.url, visit),
    ...given({ headers: target.headers === undefined ? undefined : visitHeaders(target.headers, visit) }),
  }),
  // The start of outside work is tried ten times before the slot fails.
  attempts: 10,
  summary: ({ method = 'POST', url }) => `${method} ${url}`,
  // A request always has a timeout, by default 30 s.
  isTimed: () => true,
  commandLine: {
    choosing: [{ flags: '--url <url>', description: 'an HTTP request' }],
    further: [
      { flags: '--method <method>', description: 'of the request (default: POST)' },
      {
        flags: '--allow-private',
        description: 'let the request reach this machine and private networks, if the server permits it',
      },
    ],
    read: ({ url, method, allowPrivate }) =>
      url === undefined ? undefined : given({ url, method, allowPrivate }),
  },
});

/** Headers that belong to the connection or that Carillon sets; a schedule must not forge them. */
const reserved =
  /^(host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect|te|trailer|idempotency-key|proxy-.*|carillon-.*)$/i;

/**
 * The header names that RFC 9110 and Node allow. The check does not use Node, so that web pages can validate a
 * schedule as well.
 */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

function httpProblems(input: HttpInput): readonly Problem[] {
  return [
    ...urlProblems(input.url),
    ...bodyProblems(input),
    ...headerProblems(input.headers ?? {}),
    ...nameProblems('http.secret', input.secret),
  ];
}

function urlProblems(url: string): readonly Problem[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const path = 'http.url';
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    const message = `'${visitAddress(url, () => '…')}' is not an http(s) address`;
    return [{ path, reason: 'BAD_URL', message, fix: 'write e.g. https://example.com/hook' }];
  }
  const references = referenceProblems(path, url);
  if (parsed.username === '' && parsed.password === '') return references;
  return [
    {
      path,
      reason: 'CREDENTIALS_IN_URL',
      message: 'the address holds a user name or password, which would be stored and shown',
      fix: `send a header such as authorization: Bearer ${exampleReference}, or sign requests with secret: NAME`,
    },
  ];
}

function bodyProblems({ method, body }: HttpInput): readonly Problem[] {
  if (method !== 'GET' || body === undefined) return [];
  const message = 'a GET has no body';
  return [{ path: 'http.body', reason: 'BODY_NOT_ALLOWED', message, fix: 'use POST, or leave the body out' }];
}

function headerProblems(headers: Readonly<Record<string, string>>): readonly Problem[] {
  return Object.entries(headers).flatMap(([name, value]): readonly Problem[] => {
    const path = `http.headers.${name}`;
    if (reserved.test(name)) {
      const message = `'${name}' is set by Carillon`;
      return [{ path, reason: 'RESERVED_HEADER', message, fix: 'leave it out' }];
    }
    if (headerName.test(name) && !unsendable.test(value)) return referenceProblems(path, value);
    const message = 'not a header that can be sent';
    return [{ path, reason: 'BAD_HEADER', message, fix: 'write a plain name, and a value of one line' }];
  });
}

/** Names of headers that hold secrets. */
const secretHeader =
  /^(authorization|cookie|.*(token|secret|password|passwd|credential|signature|api-?key|access-?key|auth).*)$/i;
/** Names of URL parameters that hold secrets; they are shorter than those of headers. */
const secretParameter =
  /token|secret|password|passwd|credential|signature|api[-_]?key|access[-_]?key|(^|[-_.])(key|pwd|sig|auth|code)$/i;

type Visit = (path: string, value: string) => string;

function visitHeaders(
  headers: Readonly<Record<string, string>>,
  visit: Visit,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeader.test(name) ? visit(`http.headers.${name.toLowerCase()}`, value) : value,
    ]),
  );
}

/** Works on the text, so that the rest of the address stays as written. */
function visitAddress(url: string, visit: Visit): string {
  const withoutUser = url.replace(
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)@/i,
    (_, scheme: string, user: string) => `${scheme}${visit('http.url (user and password)', user)}@`,
  );
  return withoutUser.replace(
    /([?&;])([^=&;#?]+)=([^&;#]*)/g,
    (whole, before: string, name: string, value: string) =>
      secretParameter.test(name) ? `${before}${name}=${visit(`http.url?${name}`, value)}` : whole,
  );
}
