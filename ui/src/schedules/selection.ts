/** The selected rows of a list. Pure. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** The row at which a range begins. */
  readonly anchor: string | undefined;
  /** Whether all matching rows are selected, including those that are not loaded. */
  readonly isAll: boolean;
}

export const noSelection: Selection = { ids: new Set(), anchor: undefined, isAll: false };

export function isEmpty({ ids, isAll }: Selection): boolean {
  return !isAll && ids.size === 0;
}

export function isChosen({ ids, isAll }: Selection, id: string): boolean {
  return isAll || ids.has(id);
}

export function chosen(
  selection: Selection,
  order: readonly string[],
  id: string,
  isRange: boolean,
): Selection {
  const { anchor } = selection;
  // When a row is deselected while all are selected, the other loaded rows stay selected.
  const ids = selection.isAll ? new Set(order) : selection.ids;
  const from = anchor === undefined ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  if (isRange && from >= 0 && to >= 0) {
    const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
    return { ids: new Set([...ids, ...range]), anchor, isAll: false };
  }
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id, isAll: false };
}

export function chosenAll(selection: Selection, order: readonly string[]): Selection {
  const isFull = order.length > 0 && order.every((id) => isChosen(selection, id));
  return isFull ? noSelection : { ids: new Set(order), anchor: undefined, isAll: false };
}

const everything = '*';

/** The most ids in the address; browsers and proxies limit its length. */
const mostInAddress = 50;

/** For the address: `a,b`, or `*` for everything that matches; undefined when nothing is chosen, or too much to name. */
export function selectionText({ ids, isAll }: Selection): string | undefined {
  if (isAll) return everything;
  if (ids.size === 0 || ids.size > mostInAddress) return undefined;
  return [...ids].map(encodeURIComponent).join(',');
}

export function readSelection(text: string | undefined): Selection {
  if (text === undefined || text === '') return noSelection;
  if (text === everything) return { ...noSelection, isAll: true };
  return { ...noSelection, ids: new Set(text.split(',').map(decoded)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
