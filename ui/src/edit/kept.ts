/**
 * Edits that were not saved, kept for this tab: leaving the form by a link, by Back or by a reload loses nothing, and the form
 * brings them again.
 */
import type { Draft } from './draft.ts';
import type { TypedTexts } from './typed.ts';

export interface KeptEdit {
  readonly id: string;
  readonly note: string;
  /** The definition that was read, and its token: a save finds out when another person saved since. */
  readonly base: Draft;
  readonly token?: number | undefined;
  readonly draft: Draft;
  readonly texts: TypedTexts;
}

const prefix = 'carillon.edit';

/** `of` is the id of a schedule; a new one is told apart by what its form begins with. */
export function keptName(
  namespace: string,
  of: { readonly id: string | undefined; readonly base: Draft },
): string {
  return `${prefix} ${namespace} ${of.id === undefined ? `new ${JSON.stringify(of.base)}` : `edit ${of.id}`}`;
}

export function readKept(name: string): KeptEdit | undefined {
  try {
    const text = sessionStorage.getItem(name);
    const kept = text === null ? undefined : (JSON.parse(text) as KeptEdit);
    // Another version of the page may have written the stored text.
    return typeof kept?.draft === 'object' && typeof kept.texts === 'object' ? kept : undefined;
  } catch {
    // This browser stores nothing.
    return undefined;
  }
}

export function keepEdit(name: string, edit: KeptEdit | undefined): void {
  try {
    if (edit === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(edit));
  } catch {
    // The page still asks before the tab is closed; only a later return to the form starts without the edits.
  }
}
