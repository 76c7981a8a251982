export interface Scrolled {
  /** How far the window's upper edge is below the list's, in px; negative above it. */
  readonly top: number;
  /** The window's height in px. */
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

export interface RowRange {
  readonly first: number;
  /** Included; less than `first` when there is no row. */
  readonly last: number;
}

/** Rows beside the window that are drawn too, so that a small movement shows them at once. */
const beside = 6;

export function rowsWithin({ top, height, rowHeight, count }: Scrolled): RowRange {
  const end = count - 1;
  const first = Math.floor(top / rowHeight) - beside;
  const last = Math.ceil((top + height) / rowHeight) - 1 + beside;
  return { first: Math.max(0, Math.min(first, end)), last: Math.min(end, Math.max(last, 0)) };
}
