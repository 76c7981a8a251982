/**
 * Resolves a host and lets the socket connect only to checked addresses. The checked answer is the one that is used,
 * so a name that changes between two lookups (DNS rebinding) gains nothing.
 */
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { withArticle } from '../base/article.ts';
import { refusalOf } from './address-guard.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolve: Resolve = async (host) => await lookup(host, { all: true, verbatim: true });

/** The request was not sent, because its host has a forbidden address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Throws for a host that is itself a forbidden address: sockets do not resolve addresses. */
export function checkLiteral(host: string): void {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) checkAddress(host, address);
}

/** One forbidden address refuses the whole host, because this code cannot choose which address the socket uses. */
export async function resolveChecked(host: string, resolve: Resolve): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0) throw new Error(`'${host}' has no address`);
  for (const { address } of addresses) checkAddress(host, address);
  return addresses;
}

export function lookupThrough(
  resolved: (host: string) => Promise<readonly ResolvedAddress[]>,
): LookupFunction {
  return (host, { all }, answer) => {
    resolved(host).then(
      (addresses) => {
        const [first] = addresses;
        if (all === true) answer(null, [...addresses]);
        else answer(null, first?.address ?? '', first?.family);
      },
      (error) => answer(error, '', 0),
    );
  };
}

function checkAddress(host: string, address: string): void {
  const kind = refusalOf(address);
  if (kind === undefined) return;
  const which =
    host.replace(/^\[|\]$/g, '') === address ? `'${host}'` : `'${host}' leads to ${address}, which`;
  throw new AddressRefused(`${which} is ${withArticle(`${kind} address`)} and not on the public internet`);
}
