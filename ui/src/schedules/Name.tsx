/** The id of a schedule in a row. Of a long one the middle is left out, because ids of one family often differ at their ends. */
import { partsOfId } from './id-parts.ts';

export function Name({ id }: { readonly id: string }) {
  const parts = partsOfId(id);
  if (parts === undefined) return <span className="truncate font-medium">{id}</span>;
  return (
    <>
      <span className="flex min-w-0 font-medium" title={id} aria-hidden="true">
        <span className="truncate">{parts.begin}</span>
        <span className="whitespace-pre">{parts.end}</span>
      </span>
      <span className="sr select-none">{id}</span>
    </>
  );
}
