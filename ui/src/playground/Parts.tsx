import type { TextPart } from './anatomy.ts';

/** The parts of the text with their names. */
export function Parts({ parts }: { readonly parts: readonly TextPart[] }) {
  if (parts.length === 0) return null;
  return (
    <dl className="flex flex-wrap gap-1.5">
      {parts.map(({ name, text }) => (
        <div
          key={name}
          className="min-w-13 flex-1 rounded-control bg-sunken p-1.5 text-center shadow-[inset_0_0_0_1px_var(--line)]"
        >
          <dd className="truncate font-mono text-say font-medium" title={text}>
            {text}
          </dd>
          <dt className="micro">{name}</dt>
        </div>
      ))}
    </dl>
  );
}
