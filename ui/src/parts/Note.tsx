import type { ReactNode } from 'react';
import type { Family } from '../verdict/verdict.ts';
import type { IconName } from './Icon.tsx';
import { Icon } from './Icon.tsx';

interface NoteProps {
  readonly family: Family;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

export function Note({ family, icon = 'warn', children }: NoteProps) {
  return (
    <div className={`note f-${family}`}>
      <Icon name={icon} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
