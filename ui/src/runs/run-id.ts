/** The part of a run's id that tells it from others: ids begin with the time, which many runs share. */
export function shortRunId(id: string): string {
  const rest = id.slice(id.indexOf('-') + 1);
  return rest.slice(0, 8);
}
