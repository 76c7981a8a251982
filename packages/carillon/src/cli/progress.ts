/**
 * The progress of long work, on the error stream, so that the output stays clean: a bar on a terminal, a line now and
 * then otherwise, and nothing for JSON output.
 */

import type { Instant } from '../base/time.ts';
import type { Context } from './context.ts';
import { distanceText } from './next-view.ts';
import { paintWith } from './paint.ts';
import { clean } from './table.ts';

export interface ProgressOptions {
  readonly label: string;
  /** The total; undefined while it is unknown. */
  readonly total: number | undefined;
  /** Whether to show nothing, for JSON output. */
  readonly isSilent: boolean;
}

/** Ms between two redraws: fast enough to look alive, slow enough to cost nothing. */
const redrawMs = 100;
/** Ms between two lines when there is no terminal. */
const lineMs = 5000;
const barWidth = 24;

export class Progress {
  readonly #context: Context;
  readonly #label: string;
  readonly #isSilent: boolean;
  readonly #began: Instant;
  #total: number | undefined;
  #shown: number;
  #isDrawn = false;

  constructor(context: Context, { label, total, isSilent }: ProgressOptions) {
    this.#context = context;
    this.#label = label;
    this.#total = total;
    this.#isSilent = isSilent || context.clock === undefined;
    this.#began = context.clock?.now() ?? context.now;
    // The first bar appears at once, the first line only when the work takes long.
    this.#shown = context.columns === undefined ? this.#began : 0;
  }

  at(done: number, detail = '', total = this.#total): void {
    this.#total = total;
    if (this.#isSilent) return;
    const { clock, columns, stderr } = this.#context;
    const now = clock?.now() ?? this.#began;
    if (now - this.#shown < (columns === undefined ? lineMs : redrawMs)) return;
    this.#shown = now;
    if (columns === undefined) {
      stderr.write(`${this.#label}: ${countText(done, total)}${detail === '' ? '' : `, ${clean(detail)}`}\n`);
      return;
    }
    const color = paintWith(this.#context.colors.stderr);
    const line = barText({ label: this.#label, done, total, detail, elapsedMs: now - this.#began }, columns);
    stderr.write(`\r\u001b[2K${color.dim(line)}`);
    this.#isDrawn = true;
  }

  /** Removes the bar before the result is printed. */
  end(): void {
    if (this.#isDrawn) this.#context.stderr.write('\r\u001b[2K');
    this.#isDrawn = false;
  }
}

export interface Bar {
  readonly label: string;
  readonly done: number;
  readonly total: number | undefined;
  readonly detail: string;
  readonly elapsedMs: number;
}

export function barText({ label, done, total, detail, elapsedMs }: Bar, columns: number): string {
  const share = total === undefined || total === 0 ? 0 : Math.min(1, done / total);
  const filled = Math.round(share * barWidth);
  const bar = total === undefined ? '' : ` ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
  const percent = total === undefined ? '' : ` ${String(Math.floor(share * 100)).padStart(3)} %`;
  const left = share > 0.02 && share < 1 && elapsedMs > 2000 ? (elapsedMs / share) * (1 - share) : undefined;
  const rest = left === undefined || left < 1000 ? '' : `, ${distanceText(left).replace('in ', '')} left`;
  const more = detail === '' ? '' : `  ${clean(detail)}`;
  return `${label}${bar}${percent}  ${countText(done, total)}${rest}${more}`.slice(
    0,
    Math.max(20, columns - 1),
  );
}

function countText(done: number, total: number | undefined): string {
  return total === undefined ? String(done) : `${done} of ${total}`;
}
