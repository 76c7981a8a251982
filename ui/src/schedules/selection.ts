/** Which rows are chosen. Pure. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** The row from which a range begins. */
  readonly anchor: string | undefined;
  /** Everything that matches, also what is not loaded. */
  readonly isAll: boolean;
}

export const noSelection: Selection = { ids: new Set(), anchor: undefined, isAll: false };

export function chosen(
  selection: Selection,
  order: readonly string[],
  id: string,
  isRange: boolean,
): Selection {
  const { ids, anchor } = selection;
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
  const isFull = order.length > 0 && order.every((id) => selection.ids.has(id));
  return isFull ? noSelection : { ids: new Set(order), anchor: undefined, isAll: false };
}
