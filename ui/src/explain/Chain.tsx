import type { ChainLink, LinkType } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import type { IconName } from '../parts/Icon.tsx';
import { Icon } from '../parts/Icon.tsx';
import { clockSecondsText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { familyOf } from '../verdict/verdict.ts';
import { plainText } from './story.ts';

const icons: Readonly<Record<LinkType, IconName>> = {
  spec: 'clock',
  slot: 'schedules',
  run: 'runs',
  person: 'person',
  rule: 'settings',
  silence: 'node',
  clock: 'clock',
  verdict: 'done',
};

interface ChainProps {
  readonly chain: readonly ChainLink[];
  readonly zone: string;
  readonly look: Look;
  /** The verdict in a few words; the sentence stands above the chain. */
  readonly title: string;
  readonly onSlot: (at: number) => void;
}

/** The cause first, the verdict last; each link leads to the run, the person or the slot. */
export function Chain({ chain, zone, look, title, onSlot }: ChainProps) {
  return (
    <ol className="chain">
      {chain.map((link, index) => {
        const isLast = index === chain.length - 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the chain is what a link is
          <li key={index}>
            <span className={isLast ? `dot fill f-${familyOf(look)}` : 'dot'}>
              {isLast ? <Mark look={look} /> : <Icon name={icons[link.type] ?? 'done'} />}
            </span>
            <div className="min-w-0">
              <div>
                {link.at !== null && !isLast && (
                  <b className="font-semibold">{clockSecondsText(zone, Date.parse(link.at))} </b>
                )}
                {isLast ? (
                  <b className="font-semibold">{title}</b>
                ) : (
                  <LinkText link={link} zone={zone} onSlot={onSlot} />
                )}
              </div>
              {link.detail !== '' && !isLast && (
                <span className="micro block">{plainText(link.detail, zone)}</span>
              )}
              {isLast && link.at !== null && (
                <span className="micro block">decided {clockSecondsText(zone, Date.parse(link.at))}</span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function LinkText({
  link,
  zone,
  onSlot,
}: Pick<ChainProps, 'zone' | 'onSlot'> & { readonly link: ChainLink }) {
  const links = useLinks();
  const { subject } = link;
  const text = plainText(link.text, zone);
  if (subject?.type === 'run') {
    const [before, after] = split(text, subject.id.slice(0, 9));
    return (
      <>
        {before}
        <Go className="link" to={links.run(subject.id)}>
          <code>{subject.id.slice(0, 9)}</code>
        </Go>
        {after}
      </>
    );
  }
  if (subject?.type === 'slot') {
    return (
      <button type="button" className="link text-left" onClick={() => onSlot(Date.parse(subject.at))}>
        {text}
      </button>
    );
  }
  if (subject?.type === 'person') {
    return (
      <>
        {text}{' '}
        <Go className="link" to={`${links.place('audit')}?actor=${encodeURIComponent(subject.name)}`}>
          their changes
        </Go>
      </>
    );
  }
  return <>{text}</>;
}

/** Around the id, where the sentence names it; otherwise the id follows the sentence. */
function split(text: string, id: string): readonly [string, string] {
  const at = text.indexOf(id);
  return at < 0 ? [`${text} `, ''] : [text.slice(0, at), text.slice(at + id.length)];
}
