/** Completions of the query, below its field. Loaded when the field is used for the first time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readScheduleQuery } from 'carillon/client';
import type { RefObject } from 'react';
import { useEffect, useState } from 'react';
import { useScope } from '../data/api.ts';
import { completionsOf, settledUnknown } from './completions.ts';
import { valuesOf } from './seen-values.ts';

export const listId = 'query-completions';

interface CompletionProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onPick: (text: string) => void;
}

/** The number of schedules whose tags, owners and handlers are offered. */
const mostAsked = 200;

export function Completion({ field, text, onPick }: CompletionProps) {
  const scope = useScope();
  const [chosen, setChosen] = useState(-1);
  const [isClosed, setClosed] = useState(false);
  const typed = text.slice(text.search(/\S*$/));
  const value = typed.includes(':') ? typed.slice(typed.indexOf(':') + 1) : undefined;
  const seen = useQuery({
    queryKey: [scope.namespace, 'seen', value],
    queryFn: async ({ signal }) => {
      const find = value === '' ? {} : { text: value ?? '' };
      // A search by text does not find owners, so the first schedules are read as well.
      const [found, first] = await Promise.all(
        [find, {}].map(
          async (filter) =>
            await scope.api.insight.schedules({ ...filter, sort: 'id', limit: mostAsked }, { signal }),
        ),
      );
      return valuesOf([...(found?.items ?? []), ...(first?.items ?? [])]);
    },
    enabled: value !== undefined,
    // Known values are offered while more are searched for.
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  }).data;
  const offered = isClosed ? [] : completionsOf(text, seen ?? {});
  const unknown = settledUnknown(text, readScheduleQuery(text).unknown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text offers something else
  useEffect(() => {
    setChosen(-1);
    setClosed(false);
  }, [text]);
  const place = Math.min(chosen, offered.length - 1);
  useEffect(() => {
    const input = field.current;
    if (input === null) return;
    input.setAttribute('aria-expanded', String(offered.length > 0));
    if (place < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `${listId}-${place}`);
    const onKey = (event: KeyboardEvent) => {
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const picked = offered[event.key === 'Tab' ? Math.max(0, place) : place];
      if (offered.length === 0) return;
      if (by !== 0) setChosen((place + by + offered.length) % offered.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && picked !== undefined)
        onPick(picked.text);
      else if (event.key === 'Escape' && place >= 0) setClosed(true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    input.addEventListener('keydown', onKey);
    return () => {
      input.removeEventListener('keydown', onKey);
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-activedescendant');
    };
  }, [field, offered, place, onPick]);
  return (
    <>
      {unknown.length > 0 && (
        <span className="text-second whitespace-nowrap text-policy-t" role="status">
          {unknown.join(' ')} means nothing
        </span>
      )}
      <div
        className="completions"
        role="listbox"
        id={listId}
        aria-label="Completions"
        hidden={offered.length === 0}
      >
        {offered.map(({ token, meaning, text: whole }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field answers the keyboard
          <div
            key={token}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === place}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(whole)}
          >
            <code>{token}</code> <span className="t3">{meaning}</span>
          </div>
        ))}
      </div>
    </>
  );
}
