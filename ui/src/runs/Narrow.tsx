/** A field that narrows the list of runs to a schedule, a handler or a queue, or goes to a run by its id. */
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Icon } from '../parts/Icon.tsx';
import { goTo } from '../route/address.ts';
import type { Search } from '../route/search.ts';
import { askedBy } from './run-filters.ts';

interface NarrowProps {
  readonly onNarrow: (change: Search) => void;
}

const mostOffered = 12;

export function Narrow({ onNarrow }: NarrowProps) {
  const { api, namespace } = useScope();
  const links = useLinks();
  const [text, setText] = useState('');
  const [isUsed, setUsed] = useState(false);
  const offered = useQuery({
    queryKey: [namespace, 'narrow', text],
    queryFn: async ({ signal }) =>
      (
        await api.insight.schedules(
          { ...(text === '' ? {} : { text }), sort: 'id', limit: mostOffered },
          { signal },
        )
      ).items.map(({ id }) => id),
    enabled: isUsed && !text.includes(':'),
    staleTime: 30_000,
  }).data;
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const asked = askedBy(text);
    if (asked === undefined) return;
    setText('');
    if (asked.kind === 'run') goTo(links.run(asked.id));
    else onNarrow(asked.by);
  };
  return (
    <form className="query w-56 max-w-full flex-none!" onSubmit={ask}>
      <Icon name="search" className="text-text-3" />
      <input
        data-query=""
        list="narrow-schedules"
        aria-label="Only of a schedule, handler: or queue:, or the id of a run"
        placeholder="Schedule, handler:, queue:, run"
        value={text}
        spellCheck={false}
        autoComplete="off"
        onFocus={() => setUsed(true)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return;
          setText('');
          event.stopPropagation();
        }}
      />
      <datalist id="narrow-schedules">
        {offered?.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </form>
  );
}
