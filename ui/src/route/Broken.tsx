/** The message in place of a part that could not be loaded or drawn: what happened, that nothing was changed, and what to do. */
import { useEffect, useState } from 'react';
import type { Standing } from './newer.ts';
import { standing } from './newer.ts';

interface BrokenProps {
  readonly error: unknown;
  readonly onAgain: () => void;
  readonly onClose?: () => void;
}

interface Words {
  readonly title: string;
  readonly text: string;
  readonly canReload: boolean;
}

/** Matches errors of loading a module. Browsers phrase them differently, but all mention the module or its import. */
const ofLoading = /dynamically imported module|importing a module|module script|preload/i;

const loading: Readonly<Record<Standing, Words>> = {
  newer: {
    title: 'A newer version of this page is there',
    text: 'The server was updated since you opened it. Nothing was changed here. Reload to go on.',
    canReload: true,
  },
  away: {
    title: 'This part is not loaded yet',
    text: 'The server does not answer. What is open stays open.',
    canReload: false,
  },
  same: {
    title: 'This part could not be loaded',
    text: 'The server answers again. Nothing was changed.',
    canReload: true,
  },
};

export function Broken({ error, onAgain, onClose }: BrokenProps) {
  const message = error instanceof Error ? error.message : String(error);
  const isLoading = ofLoading.test(message);
  const [found, setFound] = useState<Standing>();
  useEffect(() => {
    if (isLoading) void standing().then(setFound);
  }, [isLoading]);
  if (isLoading && found === undefined) return null;
  const { title, text, canReload } =
    isLoading && found !== undefined
      ? loading[found]
      : { title: 'This screen could not be drawn', text: message, canReload: true };
  return onClose === undefined ? (
    <main className="empty min-h-[60vh] content-center" id="main" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      <Ways canReload={canReload} onAgain={onAgain} />
    </main>
  ) : (
    <div className="note f-policy fixed right-4 bottom-4 z-50 max-w-100 bg-surface" role="alert">
      <div>
        <b>{title}.</b> {text}
        <Ways canReload={canReload} onAgain={onAgain} onClose={onClose} />
      </div>
    </div>
  );
}

interface WaysProps {
  readonly canReload: boolean;
  readonly onAgain: () => void;
  readonly onClose?: () => void;
}

function Ways({ canReload, onAgain, onClose }: WaysProps) {
  return (
    <div className="mt-2 flex gap-2">
      {canReload ? (
        <button type="button" className="btn" onClick={() => location.reload()}>
          Reload
        </button>
      ) : (
        <button type="button" className="btn" onClick={onAgain}>
          Try again
        </button>
      )}
      {onClose !== undefined && (
        <button type="button" className="btn quiet" onClick={onClose}>
          Not now
        </button>
      )}
    </div>
  );
}
