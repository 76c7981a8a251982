/** Pieces of workflows that many tests need. */
import type { ConsumerDefinition, Topic } from '../../packages/carillon/src/embed/host.ts';

// biome-ignore lint/suspicious/noExplicitAny: fits into the table of topics of any workflow
type AnyTopics<Name extends string> = Record<Name, Topic<any>> & Record<string, Topic<any>>;

/** A consumer that takes all events of a topic and does nothing with them. */
export function sink<Name extends string>(
  topic: Name,
): ConsumerDefinition<AnyTopics<Name>, Name, never, null, never, unknown> {
  return {
    subscribe: [topic],
    prepare: async (ctx) => {
      const all = await ctx.peek(topic);
      return { reservations: [{ topic, ids: all.map(({ id }) => id) }], data: null };
    },
  };
}

/** Something that waits until the test opens it. */
export function gate(): { wait: () => Promise<undefined>; open: () => void; isWaited: () => boolean } {
  let open = () => {};
  let isWaited = false;
  const opened = new Promise<undefined>((resolve) => {
    open = () => resolve(undefined);
  });
  return {
    wait: () => {
      isWaited = true;
      return opened;
    },
    open: () => open(),
    isWaited: () => isWaited,
  };
}
