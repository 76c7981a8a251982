// A process of a host that kills itself at one point of the work on its own event. Arguments: store, outside file, point ('' for the last one).
import { appendFileSync, readFileSync } from 'node:fs';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';

const [store = '', outside = '', point = ''] = process.argv.slice(2);
const own = `e-${point}`;
const dieAt = (here: string, id: string | undefined) => {
  if (here === point && id === own) process.kill(process.pid, 'SIGKILL');
};
const applied = () => readFileSync(outside, 'utf8').split('\n').filter(Boolean);

const workflow = defineWorkflow({ name: 'w', topics: { in: topic<string>(), out: topic<string>() } })
  .consumer('do', {
    subscribe: ['in'],
    publishes: ['out'],
    prepare: async (ctx) => {
      const [first] = await ctx.peek('in', { limit: 1 });
      dieAt('prepare', first?.id);
      const ids = first === undefined ? [] : [first.id];
      return { reservations: [{ topic: 'in', ids }], data: { id: first?.id ?? '' } };
    },
    mutate: (ctx, { id }) => {
      dieAt('mutate', id);
      return ctx.change('append', {
        run: (key) => {
          dieAt('before-change', id);
          appendFileSync(outside, `${id} ${key}\n`);
          dieAt('after-change', id);
          return id;
        },
        reconcile: (key) => (applied().includes(`${id} ${key}`) ? id : null),
      });
    },
    next: (ctx, { id }) => {
      dieAt('next', id);
      if (id !== '') ctx.publish('out', { id, payload: id });
    },
  })
  .consumer('sink', {
    subscribe: ['out'],
    prepare: async (ctx) => ({
      reservations: [{ topic: 'out', ids: (await ctx.peek('out')).map(({ id }) => id) }],
      data: null,
    }),
  });

const carillon = await openCarillon(store);
const host = createHost({ carillon, workflows: [workflow], settings: { retryPause: 20 } });
await carillon.start();
if (point !== '') await host.publish('w', 'in', { id: own, payload: own });
for (;;) {
  const { topics, work } = await host.describe('w');
  if (point === '' && work === null && topics.every(({ pending, reserved }) => pending + reserved === 0))
    break;
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const states = async (name: string) =>
  (await host.events('w', name)).items.map(({ id, state }) => `${id} ${state}`).sort();
console.log(
  JSON.stringify({
    inbox: await states('in'),
    outbox: await states('out'),
    applied: applied()
      .map((line) => line.split(' ')[0])
      .sort(),
  }),
);
await carillon.stop();
