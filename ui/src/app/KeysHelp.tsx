import { useMayChange } from '../data/role.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { commandKey } from './keys.ts';
import { allPlaces } from './places.ts';

/** A key, its meaning, and whether it changes something. */
type Key = readonly [key: string, meaning: string, isChange?: boolean];

const groups: readonly (readonly [string, readonly Key[]])[] = [
  ['Go to', allPlaces.map(({ key, name }) => [`g ${key}`, name] as const)],
  [
    'Everywhere',
    [
      [`${commandKey} K`, 'find or do anything'],
      ['/', 'filter, or find'],
      ['c', 'new schedule', true],
      ['y', 'copy the link'],
      ['?', 'these keys'],
      [`${commandKey} Enter`, 'save a form', true],
      ['Esc', 'close'],
    ],
  ],
  [
    'Lists',
    [
      ['j k', 'next and previous row'],
      ['x', 'select; with Shift a range', true],
      ['Enter', 'open'],
      ['t', 'trigger', true],
      ['p', 'pause or resume', true],
      ['e', 'edit', true],
    ],
  ],
  [
    'Timeline',
    [
      ['← →', 'slot by slot'],
      ['Shift ← →', 'a quarter of the view'],
      ['[ ]', 'slots that did not run'],
      ['+ −', 'zoom'],
      ['n', 'now'],
      ['Enter', 'why'],
    ],
  ],
];

/** A key that may only look is told only of what it may do. */
export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const mayChange = useMayChange();
  return (
    <Dialog
      title="Keys"
      onClose={onClose}
      foot={
        <button type="button" className="btn" onClick={onClose}>
          Close
        </button>
      }
    >
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 wide:grid-cols-2">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3 className="label mb-1">{title}</h3>
            {keys
              .filter(([, , isChange = false]) => mayChange || !isChange)
              .map(([key, meaning]) => (
                <div key={key} className="flex justify-between gap-3 py-0.5">
                  <span className="t2">{meaning}</span>
                  <span className="whitespace-nowrap">
                    {key.split(' ').map((each) => (
                      <kbd key={each} className="ml-1">
                        {each}
                      </kbd>
                    ))}
                  </span>
                </div>
              ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
