/** The client of the namespace that the page shows. */
import { CarillonClient, isCarillonError } from 'carillon/client';
import { createContext, useContext } from 'react';
import { serverUrl } from './address.ts';
import { fetchEarly } from './early.ts';
import { readKey } from './key.ts';

export function openApi(namespace: string): CarillonClient {
  const key = readKey();
  return new CarillonClient({
    url: serverUrl,
    namespace,
    // Two attempts only: the queries repeat reads, and know what is on the screen.
    attempts: 2,
    fetch: async (input, init = {}) => await fetchEarly(input, asPage(init)),
    ...(key === undefined ? { actor: 'page' } : { key }),
  });
}

/** The audit names the door of a change. */
function asPage(init: RequestInit): RequestInit {
  return init.method === 'GET'
    ? init
    : { ...init, headers: { ...(init.headers as Record<string, string>), 'carillon-door': 'page' } };
}

export interface Scope {
  readonly api: CarillonClient;
  readonly namespace: string;
}

export const ScopeContext = createContext<Scope | undefined>(undefined);

export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (scope === undefined) throw new Error('the page is outside of a namespace');
  return scope;
}

export interface Trouble {
  /** What went wrong, in one sentence. */
  readonly message: string;
  readonly reason: string;
  readonly requestId: string | undefined;
  readonly isOffline: boolean;
  readonly isRefused: boolean;
  readonly isAbsent: boolean;
  readonly isConflict: boolean;
  /** Names that were probably meant. */
  readonly meant: readonly string[];
  readonly problems: readonly { readonly path: string; readonly message: string; readonly fix?: string }[];
}

export function troubleOf(error: unknown): Trouble {
  if (!isCarillonError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...none, message, reason: 'UNEXPECTED' };
  }
  const { status, reason, message, requestId, problems, didYouMean: meant } = error;
  return {
    message,
    reason,
    requestId: requestId === '' ? undefined : requestId,
    isOffline: reason === 'UNREACHABLE',
    isRefused: status === 401 || status === 403,
    isAbsent: status === 404,
    isConflict: status === 409 || status === 412,
    meant,
    problems,
  };
}

const none = {
  requestId: undefined,
  isOffline: false,
  isRefused: false,
  isAbsent: false,
  isConflict: false,
  meant: [],
  problems: [],
};
