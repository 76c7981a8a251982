/** What a jitter for the schedules of one moment would do to the minutes around it. Pure. */
export interface Spreading {
  /** The jitter in minutes. */
  readonly minutes: number;
  /** Starts by the minute, from a few minutes before the moment. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly mostBefore: number;
  readonly mostAfter: number;
}

/** The jitters that are tried, in minutes. */
export const triedMinutes = [2, 5, 10, 15] as const;

/** `place` is the minute of the moment; the busiest minute is looked for from there to the end of the jitter. */
export function spreadingOf(
  before: readonly number[],
  after: readonly number[],
  { place, minutes }: { readonly place: number; readonly minutes: number },
): Spreading {
  const most = Math.max(0, ...after.slice(place, place + minutes + 1));
  return { minutes, before, after, mostBefore: before[place] ?? 0, mostAfter: most };
}

/** The shortest jitter that makes the busiest minute at most a tenth busier than the best one does. */
export function bestOf(tried: readonly Spreading[]): Spreading | undefined {
  const least = Math.min(...tried.map(({ mostAfter }) => mostAfter));
  return tried.find(({ mostAfter, mostBefore }) => mostAfter <= 1.1 * least && mostAfter < mostBefore);
}

interface SpreadCommand {
  readonly minutes: number;
  /** The namespace; absent when it is the default of the command line. */
  readonly namespace?: string;
}

/** The command that does the same; `names` are quoted for a shell. */
export function spreadCommand(names: readonly string[], { minutes, namespace }: SpreadCommand): string {
  const scope = namespace === undefined ? '' : ` --namespace ${namespace}`;
  return `for id in ${names.join(' ')}; do carillon schedule update "$id" --jitter ${minutes}m${scope}; done`;
}
