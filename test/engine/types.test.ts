/** What the compiler refuses. These assertions are checked by `tsc`, which the test command runs. */
import { describe, expectTypeOf, test } from 'vitest';
import type {
  Component,
  MutableNode,
  PureTask,
  ReadNode,
  SyncFunction,
} from '../../packages/carillon/src/engine/index.ts';
import type { Errand } from './errand.ts';

describe('types', () => {
  test('an async function is no pure task', () => {
    type Execute = PureTask<typeof Errand, null>['execute'];
    expectTypeOf<(node: MutableNode<typeof Errand>) => Promise<void>>().not.toMatchTypeOf<Execute>();
    expectTypeOf<(node: MutableNode<typeof Errand>) => undefined>().toMatchTypeOf<Execute>();
  });

  test('a read view has no way to write', () => {
    expectTypeOf<ReadNode<typeof Errand>>().not.toHaveProperty('set');
    expectTypeOf<ReadNode<typeof Errand>>().not.toHaveProperty('schedule');
    expectTypeOf<ReturnType<ReadNode<typeof Errand>['child']>>().not.toHaveProperty('set');
    expectTypeOf<MutableNode<typeof Errand>>().toHaveProperty('set');
  });

  test('an async change of an execution is refused', () => {
    expectTypeOf<SyncFunction<null, Promise<void>>>().toBeNever();
    expectTypeOf<SyncFunction<null, string>>().not.toBeNever();
  });

  test('a component reports the facts it declares and no others', () => {
    type Bell = Component<null, Record<never, never>, { readonly type: 'rung'; readonly times: number }>;
    type Reported = Parameters<MutableNode<Bell>['report']>[0];
    expectTypeOf<Reported>().toEqualTypeOf<{ readonly type: 'rung'; readonly times: number }>();
    expectTypeOf<Parameters<MutableNode<typeof Errand>['report']>[0]>().toBeNever();
  });

  test('children are known by name and kind', () => {
    type One = Parameters<ReadNode<typeof Errand>['child']>[0];
    type Many = Parameters<ReadNode<typeof Errand>['children']>[0];
    expectTypeOf<One>().toEqualTypeOf<'note'>();
    expectTypeOf<Many>().toEqualTypeOf<'parcels'>();
  });
});
