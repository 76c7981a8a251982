/** The `pg` package: an optional peer, loaded with the first connection. */
import type pg from 'pg';
import { missingDriver } from '../../base/missing-driver.ts';
import { importPackage } from '../../base/optional-package.ts';

export type Driver = typeof pg;
export type PoolClient = pg.PoolClient;
export type Pool = pg.Pool;

/** One row, in the order of the columns asked for. */
export type SqlRow = readonly unknown[];

/** A statement and its values. A name lets the server keep the plan; texts under one name never differ. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** `load` is a parameter for tests, which need it to simulate an absent package. */
export async function loadDriver(load: () => Promise<unknown> = () => importPackage('pg')): Promise<Driver> {
  try {
    return ((await load()) as { readonly default: Driver }).default;
  } catch (error) {
    throw missingDriver(error, 'the PostgreSQL store', 'pg');
  }
}

const int8 = 20;

/** Versions, counts and instants are whole numbers below 2^53, so int8 is a number here. */
export function typesOf(driver: Driver) {
  return {
    getTypeParser(oid: number, format?: 'text' | 'binary') {
      return oid === int8 && format !== 'binary' ? Number : driver.types.getTypeParser(oid, format as 'text');
    },
  };
}
