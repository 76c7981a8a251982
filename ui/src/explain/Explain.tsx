/**
 * Why a slot did, or did not, run: the answer first, then the chain of causes, what else could have been, what the decision
 * saw. Not modal: the timeline stays in use beside it.
 */
import { useQuery } from '@tanstack/react-query';
import type { Alternative, Story } from 'carillon/client';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { storiesQuery } from '../schedule/queries.ts';
import { quoted } from '../schedules/filter.ts';
import { useNow } from '../time/now.ts';
import { clockText, fullText, lengthText, sinceText } from '../time/text.ts';
import { viewerZone } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import { familyOf, isLook, wordOfRun } from '../verdict/verdict.ts';
import { Chain } from './Chain.tsx';
import { lookOfStory, plainText, remedyOf, titleOf, withLengths } from './story.ts';

const Actions = lazy(async () => ({ default: (await import('../actions/Actions.tsx')).Actions }));

interface ExplainProps {
  readonly id: string;
  readonly zone: string;
  readonly at: number;
  /** The slots beside it on the timeline. */
  readonly neighbours: { readonly before: number | undefined; readonly after: number | undefined };
  readonly onStep: (at: number) => void;
  readonly onClose: () => void;
}

export function Explain({ id, zone, at, neighbours, onStep, onClose }: ExplainProps) {
  const scope = useScope();
  const { data: stories, error, refetch } = useQuery(storiesQuery(scope, id, at));
  const [cause, setCause] = useState(0);
  const story = stories?.[Math.min(cause, stories.length - 1)];
  const ref = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    before.current = document.activeElement;
    ref.current?.focus({ preventScroll: true });
    return () => {
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    };
  }, []);
  return (
    <aside
      ref={ref}
      className="drawer"
      aria-label="Why"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="dhead">
        <div className="flex items-center gap-1">
          {story !== undefined && (
            <span className={`pill f-${familyOf(lookOfStory(story))}`}>
              <Mark look={lookOfStory(story)} />
              <code>{story.answer}</code>
            </span>
          )}
          <span className="flex-1" />
          <Step
            label="Slot before"
            icon="left"
            to={neighbours.before ?? timeOf(story?.previous)}
            onStep={onStep}
          />
          <Step
            label="Slot after"
            icon="right"
            to={neighbours.after ?? timeOf(story?.next)}
            onStep={onStep}
          />
          <button type="button" className="btn quiet icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <h2 className="mt-1">{story === undefined ? 'Why' : titleOf(story)}</h2>
        <div className="t2">
          {fullText(zone, at)}
          {zone === viewerZone ? '' : ` · ${clockText(viewerZone, at)} for you`}
        </div>
        {stories !== undefined && stories.length > 1 && (
          <fieldset className="mt-2 flex gap-1.5" aria-label="Cause">
            {stories.map((each, index) => (
              <button
                key={each.cause}
                type="button"
                className="chip"
                aria-pressed={index === cause}
                onClick={() => setCause(index)}
              >
                {each.cause === 'auto'
                  ? 'Its own'
                  : each.cause.startsWith('backfill')
                    ? 'Backfill'
                    : 'By hand'}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      <div className="dbody" tabIndex={0} role="group" aria-label="Reason">
        {story === undefined ? (
          error === null ? (
            <SkeletonBox height={160} />
          ) : (
            <Failed what="The reason" error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <Reason id={id} zone={zone} story={story} onStep={onStep} />
        )}
      </div>
      {story !== undefined && <Foot id={id} story={story} at={at} />}
    </aside>
  );
}

interface StepProps {
  readonly label: string;
  readonly icon: 'left' | 'right';
  readonly to: number | undefined;
  readonly onStep: (at: number) => void;
}

function timeOf(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : Date.parse(text);
}

function Step({ label, icon, to, onStep }: StepProps) {
  return (
    <button
      type="button"
      className="btn quiet icon"
      aria-label={label}
      disabled={to === undefined}
      onClick={() => to !== undefined && onStep(to)}
    >
      <Icon name={icon} />
    </button>
  );
}

interface ReasonProps {
  readonly id: string;
  readonly zone: string;
  readonly story: Story;
  readonly onStep: (at: number) => void;
}

function Reason({ id, zone, story, onStep }: ReasonProps) {
  const now = useNow();
  const { saw, alternatives, run } = story;
  return (
    <>
      <p className="say" aria-live="polite">
        {plainText(story.text, zone)}
      </p>
      <h3>How it came about</h3>
      <Chain
        chain={story.chain}
        zone={zone}
        look={lookOfStory(story)}
        title={titleOf(story)}
        onSlot={onStep}
      />
      {alternatives.length > 0 && (
        <>
          <h3>With another policy it would have been</h3>
          <div className="whatif">
            {alternatives.map((alternative) => (
              <Other key={`${alternative.setting} ${alternative.value}`} alternative={alternative} />
            ))}
          </div>
        </>
      )}
      {run !== null && run.startedAt !== null && (
        <>
          <h3>Its run</h3>
          <RunFacts run={run} now={now} />
        </>
      )}
      {saw !== null && (
        <>
          <h3>What the decision saw</h3>
          <dl className="kv">
            <dt>Decided</dt>
            <dd>
              {saw.decidedAt === null
                ? 'not yet'
                : `${fullText(zone, Date.parse(saw.decidedAt))}, ${afterText(Date.parse(saw.decidedAt) - Date.parse(story.at))}`}
            </dd>
            <dt>Running</dt>
            <dd>
              {saw.running} of {saw.limit}
            </dd>
            <dt>Overlap</dt>
            <dd>
              <code>{saw.overlap}</code>
            </dd>
            <dt>Catch-up</dt>
            <dd>
              {lengthText(saw.catchupWindowMs)}, <code>{saw.missed}</code>
            </dd>
            <dt>Zone tables</dt>
            <dd>
              {saw.timeZoneVersion}, {saw.zone}
            </dd>
          </dl>
        </>
      )}
      <h3>The same from a shell</h3>
      <Command text={`carillon why ${quoted(id)} ${story.at.replace('.000', '')}`} />
    </>
  );
}

function afterText(length: number): string {
  return length < 1000 ? 'at its time' : `${lengthText(length)} after its time`;
}

function Other({ alternative }: { readonly alternative: Alternative }) {
  const look = isLook(alternative.answer) ? alternative.answer : 'notInSpec';
  return (
    <div>
      <code>
        {alternative.setting === 'overlap'
          ? alternative.value
          : `${alternative.setting}: ${alternative.value}`}
      </code>
      <span className={`flex min-w-0 items-baseline gap-2 f-${familyOf(look)}`}>
        <span className="relative top-px">
          <Mark look={look} />
        </span>
        <span className="ct">{withLengths(alternative.text)}</span>
      </span>
    </div>
  );
}

function RunFacts({ run, now }: { readonly run: NonNullable<Story['run']>; readonly now: number }) {
  const links = useLinks();
  const end = run.finishedAt === null ? now : Date.parse(run.finishedAt);
  return (
    <dl className="kv">
      <dt>Run</dt>
      <dd>
        <Go className="link mono" to={links.run(run.id)}>
          {run.id}
        </Go>
      </dd>
      <dt>Result</dt>
      <dd>
        {wordOfRun(run)}
        {run.startedAt === null ? '' : ` after ${lengthText(end - Date.parse(run.startedAt))}`}, attempt{' '}
        {run.attempt}
        {run.finishedAt === null ? '' : `, ${sinceText(end, now)}`}
      </dd>
      {run.failure !== null && (
        <>
          <dt>Because</dt>
          <dd className="text-fail-t">{run.failure.message}</dd>
        </>
      )}
    </dl>
  );
}

function Foot({ id, story, at }: { readonly id: string; readonly story: Story; readonly at: number }) {
  const links = useLinks();
  const mayChange = useMayChange();
  const [isAsking, setAsking] = useState(false);
  const remedy = remedyOf(story);
  const isPast = at <= Date.parse(story.chain.at(-1)?.at ?? '') || story.decidedAt !== null;
  const canRun = mayChange && story.answer !== 'notYet' && isPast;
  if (!canRun && remedy === undefined && story.run === null) return null;
  return (
    <div className="dfoot">
      {canRun && (
        <button type="button" className="btn primary" onClick={() => setAsking(true)}>
          <Icon name="play" />
          Run this slot now…
        </button>
      )}
      {story.run !== null && (
        <Go className="btn" to={links.run(story.run.id)}>
          See the run
        </Go>
      )}
      {mayChange && remedy !== undefined && (
        <Go className="btn" to={`${links.edit(id)}?focus=${remedy.field}`}>
          {remedy.text}
        </Go>
      )}
      <Suspense>
        {isAsking && <Actions verb="trigger" ids={[id]} scheduledAt={at} onClose={() => setAsking(false)} />}
      </Suspense>
    </div>
  );
}
