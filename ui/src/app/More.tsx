/**
 * The dialog `More` of a phone: the namespace, the choice of times and the further places, for which its bars have no
 * room.
 */
import { Dialog } from '../parts/Dialog.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Seg } from '../parts/Seg.tsx';
import { chooseTimes, timeChoices, useTimeChoice } from '../time/choice.ts';
import { useLinks } from './links.ts';
import { settingsPlace, toolPlaces } from './places.ts';
import { Namespaces } from './Rail.tsx';

export function More({ onClose }: { readonly onClose: () => void }) {
  const links = useLinks();
  const times = useTimeChoice();
  return (
    <Dialog title="More" onClose={onClose}>
      <div className="grid gap-4">
        <div>
          <span className="flabel" aria-hidden="true">
            Namespace
          </span>
          <Namespaces onChosen={onClose} />
        </div>
        <div>
          <span className="flabel" aria-hidden="true">
            Times
          </span>
          <Seg
            label="Times"
            options={timeChoices.map(([value, text]) => ({ value, text }))}
            value={times}
            onChange={chooseTimes}
          />
        </div>
        <ul>
          {[...toolPlaces, settingsPlace].map(({ to, icon, name }) => (
            <li key={to} className="border-b border-line last:border-0">
              <Go className="flex min-h-11 items-center gap-3" to={links.place(to)} onClick={onClose}>
                <Icon name={icon} />
                {name}
              </Go>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
