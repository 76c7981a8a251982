/** A value as people read it: bytes in whole units, numbers with separators. Pure. */
export function settingText(value: string | number | boolean, meaning: string): string {
  if (typeof value !== 'number') return String(value);
  if (!Number.isFinite(value)) return 'no limit';
  if (/\bbytes\b/.test(meaning)) {
    for (const [unit, size] of [
      ['MB', 1024 * 1024],
      ['KB', 1024],
    ] as const) {
      if (value >= size && value % size === 0) return `${value / size} ${unit}`;
    }
  }
  return value.toLocaleString('en-US');
}
