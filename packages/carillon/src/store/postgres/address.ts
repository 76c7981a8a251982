/** The address of the store from its URL and options, checked before anything connects. */
import { type Problem, ServiceError } from '../../base/error.ts';

/** Our own parameters behind the `?` of the URL; all others are the driver's (`sslmode`, …). */
export interface UrlSettings {
  readonly schema?: string;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: number;
  readonly listen?: boolean;
  readonly prepare?: boolean;
}

/** The settings of `pg` beyond a URL. The type is our own, so that readers do not need the types of `pg`. */
export interface DriverConfig {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  /** A function is called for every connection, which allows short-lived tokens. */
  readonly password?: string | (() => string | Promise<string>);
  readonly database?: string;
  readonly ssl?: boolean | object;
  /** Command line options of the session, `-c name=value …`. */
  readonly options?: string;
  readonly [more: string]: unknown;
}

export interface Address {
  readonly config: DriverConfig;
  /** The address for messages, without the password. */
  readonly place: string;
  readonly settings: UrlSettings;
}

const identifier = /^[a-z_][a-z0-9_]{0,47}$/;

export function addressOf(url: string | undefined, config: DriverConfig = {}): Address {
  if (url === undefined) {
    const { host = 'localhost', port = 5432, database = '' } = config;
    return { config, place: `PostgreSQL at ${host}:${port}/${database}`, settings: {} };
  }
  const parsed = parseUrl(url);
  const settings = takeSettings(parsed);
  const place = `PostgreSQL at ${parsed.host === '' ? 'localhost' : parsed.host}${parsed.pathname}`;
  return { config: { ...config, connectionString: parsed.href }, place, settings };
}

/** The schema's name becomes part of statements, so only plain names are accepted. */
export function checkSchema(schema: string): string {
  if (identifier.test(schema)) return schema;
  throw refusal({
    path: 'schema',
    reason: 'BAD_SCHEMA_NAME',
    message: `${JSON.stringify(schema)} is not a name for a schema`,
    fix: 'use lower-case letters, digits and underscores, at most 48',
  });
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && (parsed.protocol === 'postgres:' || parsed.protocol === 'postgresql:'))
    return parsed;
  throw refusal({
    path: 'store',
    reason: 'BAD_STORE_URL',
    message: 'this is not a PostgreSQL URL',
    fix: 'write postgres://user:password@host:5432/database, with special characters of the password percent-encoded',
  });
}

function takeSettings(url: URL): UrlSettings {
  const schema = take(url, 'schema');
  const poolSize = takeNumber(url, 'pool_size');
  const statementTimeoutMs = takeNumber(url, 'statement_timeout_ms');
  const listen = takeFlag(url, 'listen');
  const prepare = takeFlag(url, 'prepare');
  return {
    ...(schema === undefined ? {} : { schema }),
    ...(poolSize === undefined ? {} : { poolSize }),
    ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
    ...(listen === undefined ? {} : { listen }),
    ...(prepare === undefined ? {} : { prepare }),
  };
}

function take(url: URL, name: string): string | undefined {
  const value = url.searchParams.get(name);
  url.searchParams.delete(name);
  return value ?? undefined;
}

function takeNumber(url: URL, name: string): number | undefined {
  const text = take(url, name);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw badSetting(name, text, 'write a whole number above 0');
}

function takeFlag(url: URL, name: string): boolean | undefined {
  const text = take(url, name);
  if (text === undefined || text === 'true' || text === 'false')
    return text === undefined ? undefined : text === 'true';
  throw badSetting(name, text, 'write true or false');
}

function badSetting(name: string, text: string, fix: string): ServiceError {
  return refusal({
    path: `store?${name}`,
    reason: 'BAD_STORE_URL',
    message: `${JSON.stringify(text)} is not a value for it`,
    fix,
  });
}

function refusal(problem: Problem): ServiceError {
  return ServiceError.invalid([problem]);
}
