/** Answers that were asked for before the page's script was there. Each is taken once, and only while the page opens. */
const name = 'carillonEarly';
const longestMs = 10_000;

type Answers = Map<string, Promise<Response>>;

/** Shared by two scripts: the first script of the page asks, the page's own script takes the answers. */
export function earlyAnswers(): Answers {
  const shared = globalThis as { [name]?: Answers };
  shared[name] ??= new Map();
  return shared[name];
}

export const fetchEarly: typeof globalThis.fetch = async (input, init = {}) => {
  const early = init.method === 'GET' ? earlyAnswers().get(String(input)) : undefined;
  if (early === undefined) return await fetch(input, init);
  earlyAnswers().delete(String(input));
  if (performance.now() > longestMs) return await fetch(input, init);
  const answer = await early;
  // An answer that is not read would keep its connection.
  if (init.signal?.aborted === true) await answer.body?.cancel();
  init.signal?.throwIfAborted();
  return answer;
};
