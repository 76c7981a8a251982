/** Two Carillons on one store: a listener in one gets the events of the other. */
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { Carillon, CarillonEvent, ClusterEvent } from '../../packages/carillon/src/main.ts';
import { until } from '../support/until.ts';

export function exerciseClusterEvents(open: (name: string) => Promise<Carillon>): void {
  test('events of other processes are heard with their names, typed, and none is published before', async () => {
    const [a, b] = [await open('a'), await open('b')];
    onTestFinished(async () => {
      await a.stop();
      await b.stop();
    });
    b.handle('work', () => 5);
    const published: string[] = [];
    const { store } = internalsOf(a).runtime;
    const unhook = store.messages?.((text) => published.push(text ?? 'null'));
    await a.start();
    await b.start();
    const { id: before } = await b.runs.enqueue({ run: 'work' });
    await b.runs.wait(before);
    const heard: string[] = [];
    const leave = a.subscribe(
      (event, { node }) => {
        expectTypeOf(event).toEqualTypeOf<ClusterEvent>();
        if (event.type === 'missed') return;
        expectTypeOf(event).toEqualTypeOf<CarillonEvent>();
        heard.push(`${node} ${event.type} ${event.schedule ?? ''}`);
      },
      { scope: 'cluster' },
    );
    // The announcement has not arrived yet, and events that are decided before it arrives are not sent.
    await until(async () => {
      const { id } = await b.runs.enqueue({ run: 'work' });
      await b.runs.wait(id);
      return heard.length > 0;
    });
    expect(published.filter((text) => text.includes(before))).toEqual([]);
    await b.schedules.create('s', { run: 'work' });
    await b.schedules.trigger('s');
    await until(() => heard.includes('b finished s'));
    expect(heard).toEqual(expect.arrayContaining(['b edited s', 'b started s', 'b slot s', 'b finished s']));
    await a.schedules.create('own', { run: 'work' });
    expect(heard).toContain('a edited own');
    leave();
    unhook?.();
  });
}
