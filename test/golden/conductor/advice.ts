/** What a better answer than the recorded one is, by the advice of the case. Never an error of the server. */
import type { Case, Heard } from './replay.ts';

/** What is wrong with the answer; undefined when it follows the advice. */
export function adviceIgnored(each: Case, heard: Heard): string | undefined {
  if (heard.status >= 500) return `status ${heard.status}: ${heard.text.slice(0, 300)}`;
  const check = checks[each.advice ?? ''] ?? statusCheck(each.advice ?? '');
  return check(each, heard) ? undefined : `${each.advice}: got ${heard.status} ${heard.text.slice(0, 300)}`;
}

type Check = (each: Case, heard: Heard) => boolean;

interface Hits {
  readonly totalHits: number;
  readonly results: readonly { readonly state: string }[];
}

const hits = ({ status, body }: Heard): number => (status === 200 ? (body as Hits).totalHits : -1);
const succeeds: Check = (_, { status }) => status === 200;

const checks: Readonly<Record<string, Check>> = {
  '400 naming the cron': (_, heard) => isRefused(heard, 400) && /cron/i.test(heard.text),
  '400, message mentions cron': (_, heard) => isRefused(heard, 400) && /cron/i.test(heard.text),
  '400 naming the zone': (_, heard) => isRefused(heard, 400) && /zone/i.test(heard.text),
  'accept GET as Orkes does': succeeds,
  'decode per segment': succeeds,
  '406 or JSON': (_, { status, contentType }) =>
    status === 406 || (status === 200 && contentType?.startsWith('application/json') === true),
  'accept or 415': (_, { status }) => status === 200 || status === 415,
  implement: succeeds,
  'implement or 404': (_, { status }) => status === 200 || status === 404,
  undefined: () => true,
  'strip quotes': (_, heard) => hits(heard) === 1,
  // Alone or beside the name of one schedule, each clause finds what it says.
  'accept both dialects': (_, heard) => hits(heard) >= 1,
  'treat 0 as latest': ({ request }, heard) =>
    request.method === 'POST'
      ? heard.status === 200
      : hits(heard) === 1 && (heard.body as Hits).results[0]?.state === 'EXECUTED',
  'SEED removes history with the schedule': (_, heard) => hits(heard) === 0,
  '0 = unset; the real server never fires it': (_, { status, body }) =>
    status === 200 && Number((body as { readonly nextRunTime: number }).nextRunTime) > 0,
  '0 = unset': (_, { status, body }) => status === 200 && (body as readonly number[]).length === 5,
  // Tokyo is nine hours ahead, so hourly times are the same and only the acceptance can be seen here.
  'honour zoneId as an extra': succeeds,
};

/** `404`, `400 Schedule name is required`: the status, and the message where the advice has one. */
function statusCheck(advice: string): Check {
  const [, status = '', message = ''] = /^(\d{3})\s*(.*)$/.exec(advice) ?? [];
  return (_, heard) =>
    heard.status === Number(status) &&
    (heard.status < 400 || isRefused(heard, Number(status))) &&
    heard.text.includes(message);
}

/** An answer in the form of every refusal. */
function isRefused({ body }: Heard, status: number): boolean {
  const error = body as Readonly<Record<string, unknown>>;
  return (
    error.status === status &&
    typeof error.message === 'string' &&
    typeof error.retryable === 'boolean' &&
    'instance' in error
  );
}
