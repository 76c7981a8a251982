/** How many runs may be unfinished. Under `allowAll` the policy never applies, so there the bound of all unfinished runs is asked for. */
import { Field } from './Field.tsx';
import { whole } from './read-field.ts';

export function Limit({ overlap }: { readonly overlap: string }) {
  return (
    <div className="mt-4 wide:w-1/2">
      {overlap === 'allowAll' ? (
        <Field
          id="limit"
          label="At most unfinished"
          beside={<code className="t3">outstanding</code>}
          path="outstanding"
          placeholder="10000"
          help="Further slots are dropped while so many runs go on."
          {...whole(1, 1_000_000)}
        />
      ) : (
        <Field
          id="limit"
          label="Runs at once"
          beside={<code className="t3">limit</code>}
          path="limit"
          placeholder="1"
          help="The rule above applies when so many runs are going."
          {...whole(1, 10_000)}
        />
      )}
    </div>
  );
}
