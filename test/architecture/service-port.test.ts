/**
 * Doors get one value, `Services`, and the words that its requests and answers are made of. So what `carillon/internal/service` takes
 * from other folders than `service` is a type, a list or a number. The functions among it are listed here: each is pure and reads
 * what the services hand out, and none leads to a store, an engine or a component.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as port from '../../packages/carillon/src/internal/service.ts';

const readers: Readonly<Record<string, string>> = {
  redactAction: 'hides the secrets of an action before a door shows it',
  redactRunInput: 'the same for the input of a run',
  failureOf: 'the failure that a worker outside the nodes reports',
  conclusionOfResult: 'the end of a run with such a result',
  claimedAt: 'when the present attempt of a run began',
  isFinal: 'whether a failure ends a run by its retry policy',
  optionsOf: 'the options of a run row',
  compiledOf: 'the times of a definition, compiled once',
  encodeCursor: 'a position in a list as text',
  decodeCursor: 'the same, read back',
  matchesFilter: 'whether a record that is not in the store matches a filter',
};

const file = fileURLToPath(new URL('../../packages/carillon/src/internal/service.ts', import.meta.url));
const values = port as Readonly<Record<string, unknown>>;

/** The names that come from other folders than `service`, types included. */
function takenElsewhere(): readonly {
  readonly name: string;
  readonly folder: string;
  readonly isType: boolean;
}[] {
  const exports = readFileSync(file, 'utf8').matchAll(/export (type )?\{([^}]*)\} from '\.\.\/([^']+)'/g);
  return [...exports].flatMap(([, type, names = '', path = '']) =>
    names
      .split(',')
      .map((name) => ({
        name: name.trim(),
        folder: path.split('/')[0] as string,
        isType: type !== undefined,
      }))
      .filter(({ name, folder }) => name !== '' && folder !== 'service'),
  );
}

test('functions of other folders are the listed ones', () => {
  const functions = takenElsewhere().filter(({ name }) => typeof values[name] === 'function');
  expect(functions.map(({ name }) => name).sort()).toEqual(Object.keys(readers).sort());
});

test('no class, nothing of the engine, and no store goes through the port', () => {
  const wrong = takenElsewhere().filter(
    ({ name, folder }) => /^class\b/.test(String(values[name])) || folder === 'engine' || name === 'Store',
  );
  expect(wrong).toEqual([]);
});
