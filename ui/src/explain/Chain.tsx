import type { ChainLink, LinkType } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import type { IconName } from '../parts/Icon.tsx';
import { Icon } from '../parts/Icon.tsx';
import { shortRunId } from '../runs/run-id.ts';
import { momentText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { familyOf } from '../verdict/verdict.ts';
import { plainText } from './explanation-text.ts';

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
  /** The schedule. */
  readonly id: string;
  /** The slot that the chain is about. Times of other days are shown with their day. */
  readonly at: number;
  readonly chain: readonly ChainLink[];
  readonly zone: string;
  readonly look: Look;
  /** When the verdict was decided; the last link may have the later time of the end of its run. */
  readonly decidedAt: string | null;
  /** The verdict in a few words; the sentence stands above the chain. */
  readonly title: string;
  readonly onSlot: (at: number) => void;
}

/** The cause first, the verdict last; each link leads to the run, the person or the slot. */
export function Chain({ id, at, chain, zone, look, decidedAt, title, onSlot }: ChainProps) {
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
                  <b className="font-semibold">{momentText(zone, Date.parse(link.at), at)} </b>
                )}
                {isLast ? (
                  <b className="font-semibold">{title}</b>
                ) : (
                  <LinkText at={at} link={link} zone={zone} onSlot={onSlot} />
                )}
              </div>
              {!isLast && <Detail id={id} at={at} link={link} zone={zone} />}
              {isLast && (
                <span className="micro block">
                  {[
                    ...(decidedAt === null ? [] : [`decided ${momentText(zone, Date.parse(decidedAt), at)}`]),
                    ...(link.detail === '' ? [] : [link.detail]),
                  ].join(', ')}
                </span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The detail of a link. A rule links to the change of the schedule that set it. */
function Detail({
  id,
  at,
  link,
  zone,
}: Pick<ChainProps, 'id' | 'at' | 'zone'> & { readonly link: ChainLink }) {
  const links = useLinks();
  if (link.detail === '') return null;
  const text = plainText(link.detail, zone, { at });
  if (link.type !== 'rule' || link.subject?.type !== 'version')
    return <span className="micro block">{text}</span>;
  const [value = '', ...origin] = text.split(/, (?=version|as created)/);
  return (
    <span className="micro block">
      {value},{' '}
      <Go className="link" to={`${links.place('audit')}?schedule=${encodeURIComponent(id)}`}>
        {origin.join(', ')}
      </Go>
    </span>
  );
}

function LinkText({
  at,
  link,
  zone,
  onSlot,
}: Pick<ChainProps, 'at' | 'zone' | 'onSlot'> & { readonly link: ChainLink }) {
  const links = useLinks();
  const { subject } = link;
  const text = plainText(link.text, zone, { at });
  if (subject?.type === 'run') {
    const [before, after] = split(text, shortRunId(subject.id));
    return (
      <>
        {before}
        <Go className="link" to={links.run(subject.id)}>
          <code>{shortRunId(subject.id)}</code>
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
    const [before, after] = split(text, subject.name);
    return (
      <>
        {before}
        <Go className="link" to={`${links.place('audit')}?actor=${encodeURIComponent(subject.name)}`}>
          {subject.name}
        </Go>
        {after}
      </>
    );
  }
  return <>{text}</>;
}

/** The text before and after the name; when the sentence does not contain the name, all of it comes before. */
function split(text: string, name: string): readonly [string, string] {
  const at = text.indexOf(name);
  return at < 0 ? [`${text} `, ''] : [text.slice(0, at), text.slice(at + name.length)];
}
