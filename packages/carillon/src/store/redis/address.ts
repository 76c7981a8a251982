/**
 * The address of a Redis: `redis://[user[:password]@]host[:port][/db][?prefix=…&cluster=true]`, `rediss:` for TLS. It is parsed
 * here and not by the driver, which treats a text it does not understand as a file name.
 */
import { ServiceError } from '../../base/error.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
  readonly prefix?: string;
  readonly cluster: boolean;
}

/** The settings of `ioredis` instead of a URL. The type is our own, so that readers do not need the types of `ioredis`. */
export interface DriverConfig {
  readonly host?: string;
  readonly port?: number;
  /** A Unix socket instead of host and port. */
  readonly path?: string;
  readonly db?: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: object;
  readonly sentinels?: readonly object[] | null;
  /** Name of the master behind Sentinel. */
  readonly name?: string;
  readonly [more: string]: unknown;
}

export function parseAddress(text: string): Address {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw badAddress('it is not a URL');
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
    throw badAddress('its scheme is neither redis nor rediss');
  if (url.hostname === '') throw badAddress('it names no host');
  const db = url.pathname.replace(/^\//, '');
  if (!/^\d*$/.test(db)) throw badAddress(`'${db}' is not the number of a database`);
  for (const name of url.searchParams.keys()) {
    if (name !== 'prefix' && name !== 'cluster') throw badAddress(`'${name}' is not a parameter of it`);
  }
  const prefix = url.searchParams.get('prefix');
  return {
    // Only a URL has brackets around an IPv6 address.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 6379 : Number(url.port),
    db: Number(db),
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    tls: url.protocol === 'rediss:',
    ...(prefix === null ? {} : { prefix }),
    cluster: url.searchParams.get('cluster') === 'true',
  };
}

/** The text itself is not part of the message: it may contain a password. */
function badAddress(why: string): ServiceError {
  return ServiceError.invalid([
    {
      path: 'store',
      reason: 'BAD_STORE_URL',
      message: `this is not the address of a Redis: ${why}`,
      fix: 'write redis://[user:password@]host[:port][/db][?prefix=name][&cluster=true], or rediss: for TLS',
    },
  ]);
}
