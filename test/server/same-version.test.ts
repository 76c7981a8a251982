import { expect, test } from 'vitest';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { demandSameVersion } from '../../packages/server/src/server/same-version.ts';
import { startServer } from '../../packages/server/src/server/server.ts';
import { version } from '../../packages/server/src/server/version.ts';

test('a library of another version is refused, with both versions in the log', () => {
  const logged: unknown[] = [];
  const log = { error: (fields: unknown) => logged.push(fields) };
  expect(() => demandSameVersion('9.9.9', log as never)).toThrow(
    `carillon is 9.9.9 and @carillon/server is ${version}`,
  );
  expect(logged).toEqual([{ carillon: '9.9.9', '@carillon/server': version }]);
  demandSameVersion(version, log as never);
  expect(logged).toHaveLength(1);
});

test('a server on a Carillon of another version does not start', async () => {
  const carillon = await openCarillon('memory:');
  const key = Symbol.for('carillon.internals');
  const inside = (carillon as unknown as { readonly [key: symbol]: object })[key];
  const other = Object.create(carillon, {
    [key]: { value: { ...inside, version: '9.9.9' } },
  }) as typeof carillon;
  await expect(startServer({ carillon: other, port: 0 })).rejects.toMatchObject({
    reason: 'VERSION_MISMATCH',
  });
  await carillon.stop();
});
