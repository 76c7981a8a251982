/** The edit of one definition: what was read, what is typed, and that it is kept until it is saved or taken back. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Draft } from './draft.ts';
import { isSame } from './draft.ts';
import { type KeptEdit, keepEdit, keptName, readKept } from './kept.ts';
import { type TypedTexts, unreadOf } from './typed.ts';

interface Begin {
  readonly namespace: string;
  /** Absent for a new schedule. */
  readonly id: string | undefined;
  readonly base: Draft;
  readonly token: number | undefined;
}

export function useEdit({ namespace, id, base, token }: Begin) {
  // The first version that was read stays the base of the edit, even if the definition is read again meanwhile.
  const [fresh] = useState<KeptEdit>({ id: id ?? '', note: '', base, token, draft: base, texts: {} });
  const [name] = useState(() => keptName(namespace, { id, base }));
  const [kept] = useState(() => readKept(name));
  const [edit, setEdit] = useState(kept ?? fresh);
  const [isBack, setBack] = useState(kept !== undefined);
  const [isDone, setDone] = useState(false);
  const unread = useMemo(() => unreadOf(edit.texts, edit.draft), [edit.texts, edit.draft]);
  const isEdited = useMemo(
    () => unread.length > 0 || edit.note !== '' || edit.id !== (id ?? '') || !isSame(edit.draft, edit.base),
    [edit, id, unread],
  );
  const isUnsaved = isEdited && !isDone;
  const forget = useKept(name, isUnsaved ? edit : undefined);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
  const change = (next: Partial<KeptEdit>) => setEdit((before) => ({ ...before, ...next }));
  return {
    ...edit,
    unread,
    /** Whether earlier edits were restored. */
    isBack,
    change,
    setDraft: (draft: Draft) => change({ draft }),
    setTyped: (draft: Draft, texts: TypedTexts) => change({ draft, texts }),
    /** Forgets every edit. */
    discard: () => {
      setEdit(fresh);
      setBack(false);
    },
    /** Called after saving: drops the stored edits. */
    finish: () => {
      setDone(true);
      forget();
    },
  };
}

const restMs = 250;

/** Keeps the edit when it has rested, and when the page or the form goes. The answer forgets it for good. */
function useKept(name: string, edit: KeptEdit | undefined): () => void {
  const latest = useRef(edit);
  useEffect(() => {
    latest.current = edit;
    const timer = setTimeout(() => keepEdit(name, edit), restMs);
    return () => clearTimeout(timer);
  }, [name, edit]);
  useEffect(() => {
    const keep = () => keepEdit(name, latest.current);
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('pagehide', keep);
      keep();
    };
  }, [name]);
  return () => {
    latest.current = undefined;
    keepEdit(name, undefined);
  };
}
