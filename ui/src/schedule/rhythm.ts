/** Which copy of a repeated hour runs when the spec gives no rule, as `carillon/spec` decides it. Pure, without its parser. */

/** A cron text that runs in every hour of the day keeps its interval when the clock is set back. */
export function isEveryHour(text: string): boolean {
  const fields = text
    .trim()
    .replace(/^(CRON_)?TZ=\S+\s+/, '')
    .split(/\s+/);
  const hour = fields.length > 5 ? fields[2] : fields[1];
  return fields[0] === '@hourly' || /^(\*|\*\/1|0-23)$/.test(hour ?? '');
}

interface Spec {
  readonly cron?: readonly { readonly text: string }[];
  readonly calendars?: readonly { readonly hour?: string }[];
}

/** The rule that all entries have; undefined when they differ. */
export function usualFold({ cron = [], calendars = [] }: Spec): 'first' | 'both' | undefined {
  const folds = new Set([
    ...cron.map(({ text }) => (isEveryHour(String(text ?? '')) ? 'both' : 'first')),
    ...calendars.map(({ hour = '0' }) => (hour === '*' ? 'both' : 'first')),
  ] as const);
  const [fold = 'first'] = folds;
  return folds.size > 1 ? undefined : fold;
}
