/** The field of the query. The list is searched a moment after the last key. */
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { Boundary } from '../route/Boundary.tsx';
import { lazyPart } from '../route/lazy-part.tsx';

const Completion = lazyPart(async () => (await import('./Completion.tsx')).Completion);

/** The delay after the last key. It is short, because even a list of 10,000 schedules is searched within a few ms. */
const restMs = 20;

interface QueryFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called when the query is done with, so that the keys go to the rows. */
  readonly onEnter: () => void;
}

export function QueryField({ value, onChange, onEnter }: QueryFieldProps) {
  const [text, setText] = useState(value);
  const [isUsed, setUsed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  const take = useCallback((next: string) => {
    clearTimeout(timer.current);
    if (sent.current === next.trim()) return;
    sent.current = next.trim();
    change.current(next.trim());
  }, []);
  const type = useCallback(
    (next: string) => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => take(next), restMs);
    },
    [take],
  );
  return (
    <div className="query">
      <Icon name="search" className="text-text-3" />
      <input
        ref={field}
        data-query
        role="combobox"
        aria-expanded="false"
        aria-controls="query-completions"
        aria-autocomplete="list"
        aria-label="Find schedules"
        placeholder="Find by name, tag, owner, handler… or tag: state:"
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => type(event.target.value)}
        onFocus={() => setUsed(true)}
        onBlur={() => setUsed(false)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
            take(text);
            event.currentTarget.blur();
            onEnter();
          } else if (event.key !== 'Escape') return;
          else if (text === '') event.currentTarget.blur();
          else type('');
          event.stopPropagation();
        }}
      />
      {isUsed && (
        <Boundary onClose={() => setUsed(false)}>
          <Suspense>
            <Completion field={field} text={text} onPick={type} />
          </Suspense>
        </Boundary>
      )}
      <kbd className="wide-only">/</kbd>
    </div>
  );
}
