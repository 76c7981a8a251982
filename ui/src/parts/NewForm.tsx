/** A short form at the foot of a card that makes one thing, and says what went wrong where the person is looking. */
import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { troubleOf } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';

interface NewFormProps {
  readonly verb: string;
  readonly children: ReactNode;
  /** Makes it from the fields by name; the form is emptied when that worked. */
  readonly onMake: (field: (name: string) => string) => Promise<void>;
}

export function NewForm({ verb, children, onMake }: NewFormProps) {
  const [wrong, setWrong] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isOffline = useLiveState().is === 'offline';
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const given = new FormData(form);
    setBusy(true);
    try {
      await onMake((name) => String(given.get(name) ?? '').trim());
      form.reset();
      setWrong(undefined);
    } catch (error) {
      setWrong(troubleOf(error).message);
    }
    setBusy(false);
  };
  return (
    <form
      className="flex flex-wrap items-end gap-3 border-t border-line p-4"
      onSubmit={(event) => void submit(event)}
    >
      {children}
      {/* Not disabled while it works: a disabled button would lose the focus. */}
      <button type="submit" className="btn high" aria-disabled={isBusy} disabled={isOffline}>
        {verb}
      </button>
      {isOffline && <span className="t3 self-center">The server does not answer; this waits.</span>}
      {wrong !== undefined && (
        <span className="self-center text-fail-t" role="alert">
          {wrong}
        </span>
      )}
    </form>
  );
}
