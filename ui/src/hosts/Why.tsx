/** Explains, in the sentences of the server, why a due time ran or did not run, or why an event was not taken. */
import { useQuery } from '@tanstack/react-query';
import type { HostQuestion } from 'carillon/client';
import { withTimes } from '../actions/sentence-times.ts';
import { troubleOf, useScope } from '../data/api.ts';
import { sentence } from '../parts/sentence.ts';
import { usePageZone } from '../time/choice.ts';
import { serverNow } from '../time/now.ts';
import { withoutTime } from './host.ts';

interface WhyProps {
  readonly id: string;
  readonly question: HostQuestion;
}

export function Why({ id, question }: WhyProps) {
  const { api, namespace } = useScope();
  const { data, error } = useQuery({
    queryKey: [namespace, 'host', id, 'why', JSON.stringify(question)],
    queryFn: async () => await api.hosts.explain(id, question),
  });
  const zone = usePageZone();
  const text =
    error === null ? withTimes(withoutTime(data?.text ?? ''), zone, serverNow()) : troubleOf(error).message;
  return (
    <p className="t2 text-second pb-1">
      {text === '' ? <span className="skel block h-3" /> : sentence(text)}
    </p>
  );
}
