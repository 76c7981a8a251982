/** The command that makes the same change as the button. */
import { useMemo } from 'react';
import { Command } from '../parts/Copy.tsx';
import { createCommand, patchOf, updateCommand } from '../schedule/command.ts';
import { pastedOf } from '../schedule/pasted.ts';
import type { Draft } from './draft.ts';

interface SaveCommandProps {
  readonly id: string;
  readonly isNew: boolean;
  readonly base: Draft;
  readonly draft: Draft;
}

export function SaveCommand({ id, isNew, base, draft }: SaveCommandProps) {
  const text = useMemo(() => {
    const { declaredBy: _, ...own } = pastedOf(draft);
    return isNew
      ? createCommand(id === '' ? 'name' : id, own, false)
      : updateCommand(id, patchOf(pastedOf(base), pastedOf(draft)));
  }, [id, isNew, base, draft]);
  return <Command text={text} />;
}
