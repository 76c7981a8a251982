/** Completions of the end of a query: names of tokens, and values that schedules have. Pure. */
import { queryToken, queryTokens } from 'carillon/client';

/** Known values by the name of their token. */
export type SeenValues = Readonly<Partial<Record<string, readonly string[]>>>;

export interface Completion {
  /** The whole query with the completion. */
  readonly text: string;
  /** The shown completion. */
  readonly token: string;
  readonly meaning: string;
}

const meanings: Readonly<Record<string, string>> = {
  'tag:': 'with this tag',
  'owner:': 'of this owner',
  'handler:': 'that start this handler',
  'queue:': 'whose runs go to this queue',
  'prefix:': 'whose names begin so',
  'state:running': 'open and not paused',
  'state:paused': 'paused by a person',
  'state:ended': 'without further times',
  'state:quarantined': 'stopped by an error of their own',
  'is:attention': 'that need a person',
  'is:failing': 'whose last run failed',
  'is:overdue': 'due, and without a verdict',
  'is:noworker': 'that no worker knows',
  'is:skipping': 'that skip again and again',
  'is:waiting': 'with several starts that wait',
  'is:busy': 'with a run that is running or waits',
};

const most = 8;

/** The word or token that is being typed; its quote may still be open. */
const lastPart = /(?:[^\s"]|"[^"]*(?:"|$))*$/;

export function completionsOf(text: string, seen: SeenValues): readonly Completion[] {
  const start = text.search(lastPart);
  const typed = text.slice(start);
  if (typed === '') return [];
  const colon = typed.indexOf(':');
  const name = colon < 0 ? undefined : typed.slice(0, colon);
  const fixed = Object.keys(meanings).filter((token) => token.startsWith(typed.toLowerCase()));
  const value = typed
    .slice(colon + 1)
    .replaceAll('"', '')
    .toLowerCase();
  const values =
    name === undefined
      ? []
      : (seen[name] ?? [])
          .filter((each) => each.toLowerCase().includes(value))
          .map((each) => queryToken(name, each));
  const tokens = [...fixed, ...values].filter((token) => token !== typed);
  return tokens.slice(0, most).map((token) => ({
    // A name is followed by its value, a whole token by the next one.
    text: `${text.slice(0, start)}${token}${token.endsWith(':') ? '' : ' '}`,
    token,
    meaning: meanings[token] ?? '',
  }));
}

/** Unknown tokens, without the one that is still being typed. */
export function settledUnknown(text: string, unknown: readonly string[]): readonly string[] {
  const typed = text.slice(text.search(lastPart));
  const isName = typed.endsWith(':') && (queryTokens as readonly string[]).includes(typed.slice(0, -1));
  const isBegun = isName || Object.keys(meanings).some((token) => token.startsWith(typed));
  return unknown.filter((each) => each !== typed || !isBegun);
}
