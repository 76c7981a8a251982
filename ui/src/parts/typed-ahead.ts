/** What a person types while a dialog is loaded. The field of the dialog begins with it. */
export interface Typed {
  readonly text: string;
  readonly isEntered: boolean;
}

const nothing: Typed = { text: '', isEntered: false };
let typed = nothing;

export function afterKey(before: Typed, key: string): Typed {
  if (before.isEntered) return before;
  if (key === 'Enter') return { ...before, isEntered: true };
  if (key === 'Backspace') return { ...before, text: before.text.slice(0, -1) };
  return key.length === 1 ? { ...before, text: before.text + key } : before;
}

/** Collects keys until the returned function is called. */
export function collectTyped(onEscape: () => void): () => void {
  typed = nothing;
  const onKey = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === 'Escape') onEscape();
    typed = afterKey(typed, event.key);
  };
  document.addEventListener('keydown', onKey);
  return () => {
    document.removeEventListener('keydown', onKey);
    typed = nothing;
  };
}

export function typedAhead(): Typed {
  return typed;
}
