/** The command that does what the button does. */
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
  const name = id === '' ? 'name' : id;
  const { declaredBy: _, ...own } = pastedOf(draft);
  return (
    <Command
      text={
        isNew
          ? createCommand(name, own, false)
          : updateCommand(name, patchOf(pastedOf(base), pastedOf(draft)))
      }
    />
  );
}
