/** `http`: an HTTP request as a schedule asks for it, and what can be wrong with it before it is ever sent. */
import { z } from 'zod';
import type { Problem } from '../base/error.ts';
import { durationFix, field, needed, timeoutShape, type Written } from '../base/fields.ts';
import { given } from '../base/given.ts';
import { workElsewhere } from './action-kind.ts';
import { exampleReference, nameProblems, referenceProblems } from './secret.ts';

const fields = {
  url: needed(z.string(), 'write e.g. https://example.com/hook'),
  /** Default POST. */
  method: field(z.enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE']), 'write POST, PUT, PATCH, GET or DELETE'),
  headers: field(z.record(z.string(), z.string()), 'write names with texts'),
  /** A text is sent as it is, anything else as JSON. Default: a JSON envelope with schedule, slot, run and `input`. */
  body: field(z.unknown(), 'write plain data'),
  /** Longest duration of one request; default 30 s. */
  timeout: field(timeoutShape, durationFix),
  /** How long to wait for the callback after a 202, where callbacks are configured; default 24 h. */
  callbackTimeout: field(timeoutShape, durationFix),
  /** Name of the secret that requests are signed with, as in `${secret:NAME}`. */
  secret: field(z.string().min(1).max(255), 'write the name of a secret, e.g. HOOK_SECRET'),
  /** Allow loopback and private addresses; refused by default, and by processes that do not permit it. */
  allowPrivate: field(z.boolean(), 'write true or false'),
};

export interface HttpInput extends Written<typeof fields> {}

export const httpKind = workElsewhere<'http', HttpInput>({
  kind: 'http',
  schema: field(z.strictObject(fields), "write e.g. { url: 'https://example.com/hook' }"),
  problems: httpProblems,
  sensitive: (target, visit) => ({
    ...target,
    url: visitAddress(target.url, visit),
    ...given({ headers: target.headers === undefined ? undefined : visitHeaders(target.headers, visit) }),
  }),
  // Starting something elsewhere is tried ten times before the slot is given up.
  attempts: 10,
  summary: ({ method = 'POST', url }) => `${method} ${url}`,
  // A request has a timeout of its own when none is given.
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

/** Of the connection rather than the request, or set by us; letting a schedule choose them would let it lie. */
const reserved =
  /^(host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect|te|trailer|idempotency-key|proxy-.*|carillon-.*)$/i;

/** What RFC 9110 allows, and Node with it; asked without Node, so that pages can check a schedule, too. */
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
    const message = `'${visitAddress(url, () => '…')}' is no http(s) address`;
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

/** Headers that hold what others must not see. */
const secretHeader =
  /^(authorization|cookie|.*(token|secret|password|passwd|credential|signature|api-?key|access-?key|auth).*)$/i;
/** The same for parameters of an address, whose names are shorter. */
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

/** On the text, so that everything else stays as it was written. */
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
