// Explores seeds beyond those of the test suite, or replays one:
//   npm run simulate -- --seed 4711          one seed, its problems printed
//   npm run simulate -- --from 1 --count 50000
import { parseArgs } from 'node:util';
import { scenarios } from '../test/simulation/scenarios.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    scenario: { type: 'string' },
  },
});
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.count) : 1;
const chosen = Object.entries(scenarios).filter(
  ([name]) => values.scenario === undefined || name === values.scenario,
);
if (chosen.length === 0 || !Number.isInteger(first) || !Number.isInteger(count)) {
  console.error(
    `usage: simulate [--scenario ${Object.keys(scenarios).join('|')}] [--seed n | --from n --count n]`,
  );
  process.exit(2);
}
let failed = 0;
for (const [name, simulate] of chosen) {
  for (let seed = first; seed < first + count; seed += 1) {
    const { problems } = await simulate(seed);
    if (problems.length > 0) {
      failed += 1;
      console.log(`${name}: seed ${seed}\n  ${problems.join('\n  ')}`);
    } else if (count > 1 && (seed - first + 1) % 500 === 0) {
      console.log(`${name}: ${seed - first + 1} of ${count} seeds, ${failed} failed`);
    }
  }
}
console.log(
  failed === 0
    ? `${count} seed(s) of ${chosen.map(([name]) => name).join(', ')}: no problem`
    : `${failed} seed(s) failed`,
);
process.exit(failed === 0 ? 0 : 1);
