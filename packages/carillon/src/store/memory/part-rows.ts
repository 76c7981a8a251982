/** The cold parts of one execution: every stored stamp of every name, oldest first. */
import type { PartRef, PartRow } from '../records.ts';

export class PartRows {
  readonly #byName = new Map<string, PartRow[]>();

  get(ref: PartRef): PartRow | undefined {
    return this.#byName.get(ref.name)?.find((row) => row.stamp === ref.stamp);
  }

  history(name: string): readonly PartRow[] {
    return [...(this.#byName.get(name) ?? [])];
  }

  add(row: PartRow): void {
    const rows = this.#byName.get(row.name) ?? [];
    rows.push(row);
    rows.sort((a, b) => a.stamp - b.stamp);
    this.#byName.set(row.name, rows);
  }

  drop(ref: PartRef): void {
    const rows = this.#byName.get(ref.name);
    if (rows === undefined) return;
    const rest = rows.filter((row) => row.stamp !== ref.stamp);
    if (rest.length === 0) this.#byName.delete(ref.name);
    else this.#byName.set(ref.name, rest);
  }

  /** Removes all but the newest `keep` stamps of each name, oldest first; returns the number removed. */
  trim(keep: number, limit: number): number {
    let dropped = 0;
    for (const [name, rows] of this.#byName) {
      const surplus = Math.min(rows.length - keep, limit - dropped);
      if (surplus <= 0) continue;
      this.#byName.set(name, rows.slice(surplus));
      dropped += surplus;
    }
    return dropped;
  }
}
