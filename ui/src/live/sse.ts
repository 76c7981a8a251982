/** Splits the text of a server-sent event stream into events. Pure: the rest of one piece begins the next. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Split {
  readonly events: readonly StreamedEvent[];
  readonly rest: string;
}

export function splitEvents(text: string): Split {
  const end = text.lastIndexOf('\n\n');
  if (end < 0) return { events: [], rest: text };
  const events: StreamedEvent[] = [];
  for (const block of text.slice(0, end).split('\n\n')) {
    const event = eventOf(block);
    if (event !== undefined) events.push(event);
  }
  return { events, rest: text.slice(end + 2) };
}

function eventOf(block: string): StreamedEvent | undefined {
  let id = '';
  let type = '';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice(4);
    else if (line.startsWith('event: ')) type = line.slice(7);
    else if (line.startsWith('data: ')) data += line.slice(6);
  }
  if (type === '' || data === '') return undefined;
  return { id, type, data: JSON.parse(data) as StreamedEvent['data'] };
}
