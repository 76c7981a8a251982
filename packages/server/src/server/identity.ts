/** Callers on this machine need no key: a process that can reach loopback can read the data file too. */
import type { FastifyRequest } from 'fastify';
import type { Identity } from '../door/access.ts';
import { readWord } from '../door/headers.ts';

export const actorHeader = 'carillon-actor';

/** A caller may give a name for the audit; no decision relies on it. */
export function localIdentity({ headers }: Pick<FastifyRequest, 'headers'>): Identity {
  return { actor: readWord(headers, actorHeader) ?? 'local', role: 'admin', namespaces: null };
}
