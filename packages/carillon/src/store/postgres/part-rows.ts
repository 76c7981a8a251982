/** Statements on the cold parts of executions. */
import type { Instant } from '../../base/time.ts';
import type { PartRef, PartRow } from '../records.ts';
import { bigArray, textArray } from './binary-array.ts';
import type { SqlRow, Statement } from './driver.ts';
import { locationArrays, type RowLocation, rowOf } from './row-locations.ts';

const named =
  'unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) with ordinality as i(row, incarnation, name, stamp, place)';
const noPlaces: ReadonlyMap<string, RowLocation> = new Map();

export class PartRows {
  readonly #schema: string;
  readonly #parts: string;
  readonly #isNamed: string;

  constructor(schema: string) {
    this.#schema = schema;
    this.#parts = `${schema}.parts`;
    this.#isNamed = `p.execution = ${rowOf(schema)} and p.name = i.name and p.stamp = i.stamp`;
  }

  /** Each row begins with the position of its reference, from 1. */
  get(refs: readonly PartRef[], locations: ReadonlyMap<string, RowLocation>): Statement {
    return {
      name: 'parts',
      text: `select i.place, p.data from ${named} join ${this.#parts} p on ${this.#isNamed}`,
      values: refArrays(refs, locations),
    };
  }

  exactly(refs: readonly PartRef[]): Statement {
    return {
      name: 'parts-with-names',
      text: `select i.incarnation, p.name, p.stamp, p.data, p.at from ${named} join ${this.#parts} p on ${this.#isNamed}
        order by i.place`,
      values: refArrays(refs, noPlaces),
    };
  }

  history(incarnation: string, name: string): Statement {
    return {
      name: 'part-history',
      text: `select e.incarnation, p.name, p.stamp, p.data, p.at from ${this.#schema}.executions e
        join ${this.#parts} p on p.execution = e.row where e.incarnation = $1 and p.name = $2 order by p.stamp`,
      values: [incarnation, name],
    };
  }

  add(parts: readonly PartRow[], locations: ReadonlyMap<string, RowLocation>): Statement {
    return {
      name: 'add-parts',
      text: `with added as (
          insert into ${this.#parts} (execution, name, stamp, data, at)
          select * from (
            select ${rowOf(this.#schema)} as execution, i.name, i.stamp, i.data, i.at
            from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[])
              as i(row, incarnation, name, stamp, data, at) offset 0
          ) i where i.execution is not null returning 1
        ) select ${this.#schema}.expect(count(*), $7, 'the execution of a part is not stored') from added`,
      values: [
        ...refArrays(parts, locations),
        textArray(parts.map((part) => part.data)),
        bigArray(parts.map((part) => part.at)),
        parts.length,
      ],
    };
  }

  drop(refs: readonly PartRef[], locations: ReadonlyMap<string, RowLocation>): Statement {
    return {
      name: 'drop-parts',
      text: `delete from ${this.#parts} p using ${named} where ${this.#isNamed}`,
      values: refArrays(refs, locations),
    };
  }

  /** Removes all but the newest `keep` stamps of each part of one execution, oldest first. */
  trim(row: number, keep: number, limit: number): Statement {
    return {
      name: 'trim-parts',
      text: `with gone as (
          delete from ${this.#parts} where execution = $1 and (name, stamp) in (
            select name, stamp from (
              select name, stamp, row_number() over (partition by name order by stamp desc) as newness
              from ${this.#parts} where execution = $1) p
            where newness > $2 order by name, stamp limit $3)
          returning 1
        ) select count(*) from gone`,
      values: [row, keep, limit],
    };
  }
}

export function partOf([incarnation, name, stamp, data, at]: SqlRow): PartRow {
  return {
    incarnation: incarnation as string,
    name: name as string,
    stamp: stamp as number,
    data: data as string,
    at: at as Instant,
  };
}

function refArrays(refs: readonly PartRef[], locations: ReadonlyMap<string, RowLocation>): readonly Buffer[] {
  return [
    ...locationArrays(refs, locations),
    textArray(refs.map((ref) => ref.name)),
    bigArray(refs.map((ref) => ref.stamp)),
  ];
}
