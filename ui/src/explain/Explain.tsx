/**
 * Why a slot did, or did not, run: the answer first, then the chain of causes, what else could have been, what the decision
 * saw. Not modal: the timeline stays in use beside it.
 */
import { useQuery } from '@tanstack/react-query';
import type { Alternative, FullExplanation } from 'carillon/client';
import { useEffect, useRef, useState } from 'react';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { Command, CopyButton } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { quoted } from '../parts/quoted.ts';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { lazyDialog } from '../route/lazy-dialog.tsx';
import { shortRunId } from '../runs/run-id.ts';
import { explanationsQuery } from '../schedule/queries.ts';
import { useNow } from '../time/now.ts';
import { fullText, lengthText, momentText, sinceText, viewerText } from '../time/text.ts';
import { withLengths } from '../time/with-lengths.ts';
import { viewerZone } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import { familyOf, isLook, lookOfRun, wordOf, wordOfRun } from '../verdict/verdict.ts';
import { Chain } from './Chain.tsx';
import { actsOf, decisionText, lookOfExplanation, plainText, remedyOf, titleOf } from './explanation-text.ts';

const MoreActions = lazyDialog(async () => (await import('./MoreActions.tsx')).MoreActions);
const Actions = lazyDialog(async () => (await import('../actions/Actions.tsx')).Actions);

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
  const now = useNow();
  const { data: explanations, error, refetch } = useQuery(explanationsQuery(scope, id, at));
  const { cause = 'auto' } = useSearch();
  const explanation = explanations?.find((each) => each.cause === cause) ?? explanations?.[0];
  const before = neighbours.before ?? timeOf(explanation?.previous);
  const after = neighbours.after ?? timeOf(explanation?.next);
  const ref = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);
  useEffect(() => {
    cameFrom.current = document.activeElement;
    ref.current?.focus({ preventScroll: true });
    return () => {
      if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus();
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
        const isPlain = !(event.metaKey || event.ctrlKey || event.altKey || event.shiftKey);
        const to = event.key === 'ArrowLeft' ? before : event.key === 'ArrowRight' ? after : undefined;
        // A dialog above the drawer handles its own keys.
        if (!isPlain || to === undefined || document.querySelector('dialog[open], [role=dialog]') !== null)
          return;
        event.preventDefault();
        onStep(to);
      }}
    >
      <div className="dhead">
        <div className="flex items-center gap-1">
          {explanation !== undefined && (
            <span className={`pill f-${familyOf(lookOfExplanation(explanation, now))}`}>
              <Mark look={lookOfExplanation(explanation, now)} />
              <code>{explanation.answer}</code>
            </span>
          )}
          <span className="flex-1" />
          <Step label="Slot before" icon="left" to={before} onStep={onStep} />
          <Step label="Slot after" icon="right" to={after} onStep={onStep} />
          <button type="button" className="btn quiet icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <h2 className="mt-1">{explanation === undefined ? 'Why' : titleOf(explanation, now)}</h2>
        <div className="t2">
          {fullText(zone, at)}
          {zone === viewerZone ? '' : ` · ${viewerText(zone, at)} for you`}
        </div>
        {explanations !== undefined && explanations.length > 1 && (
          <fieldset className="mt-2 flex gap-1.5" aria-label="Cause">
            {explanations.map((each) => (
              <button
                key={each.cause}
                type="button"
                className="chip"
                aria-pressed={each === explanation}
                onClick={() => changeSearch({ cause: each.cause }, { replace: true })}
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
        {explanation === undefined ? (
          error === null ? (
            <SkeletonBox height={160} />
          ) : (
            <Failed what="The reason" error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <Reason id={id} zone={zone} explanation={explanation} onStep={onStep} />
        )}
      </div>
      {explanation !== undefined && <Foot id={id} explanation={explanation} at={at} />}
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
  readonly explanation: FullExplanation;
  readonly onStep: (at: number) => void;
}

function Reason({ id, zone, explanation, onStep }: ReasonProps) {
  const now = useNow();
  const { saw, alternatives, run } = explanation;
  const at = Date.parse(explanation.at);
  return (
    <>
      <p className="say" aria-live="polite">
        {plainText(explanation.text, zone, { at })}
      </p>
      <h3>How it came about</h3>
      <Chain
        id={id}
        at={at}
        chain={explanation.chain}
        zone={zone}
        look={lookOfExplanation(explanation, now)}
        decidedAt={explanation.decidedAt}
        title={titleOf(explanation, now)}
        onSlot={onStep}
      />
      {alternatives.length > 0 && (
        <>
          <h3>With another policy it would have been</h3>
          <div className="whatif">
            {alternatives.map((alternative) => (
              <Other
                key={`${alternative.setting} ${alternative.value}`}
                alternative={alternative}
                zone={zone}
                at={at}
              />
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
          <h3>{saw.decidedAt === null ? 'In force then' : 'What the decision saw'}</h3>
          <dl className="kv">
            {saw.decidedAt !== null && (
              <>
                <dt>Decided</dt>
                <dd>{`${momentText(zone, Date.parse(saw.decidedAt), at)}, ${decisionText(explanation)}`}</dd>
                <dt>Running</dt>
                <dd>{runningText(saw)}</dd>
              </>
            )}
            <dt>Version</dt>
            <dd>
              {saw.version} <span className="t3">of {saw.versions}</span>
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
      <Command text={`carillon why ${quoted(id)} ${explanation.at.replace('.000', '')}`} />
    </>
  );
}

/** Under `allowAll` no limit decides, so none is shown. */
function runningText({ running, limit, overlap }: NonNullable<FullExplanation['saw']>): string {
  return overlap === 'allowAll' ? String(running) : `${running} of ${limit}`;
}

interface OtherProps {
  readonly alternative: Alternative;
  readonly zone: string;
  readonly at: number;
}

/** An alternative: the setting as it is written, then what the slot would have become. */
function Other({ alternative, zone, at }: OtherProps) {
  const { setting, value, answer, text } = alternative;
  const look = isLook(answer) ? answer : 'notInSpec';
  return (
    <div>
      <code>{setting === 'overlap' ? value : `${setting}: ${value}`}</code>
      <span className={`flex min-w-0 items-baseline gap-2 f-${familyOf(look)}`}>
        <span className="relative top-px">
          <Mark look={look} label={wordOf(look)} />
        </span>
        <span className="ct">{plainText(text, zone, { at, letters: false })}</span>
      </span>
    </div>
  );
}

function RunFacts({ run, now }: { readonly run: NonNullable<FullExplanation['run']>; readonly now: number }) {
  const links = useLinks();
  const end = run.finishedAt === null ? now : Date.parse(run.finishedAt);
  return (
    <dl className="kv">
      <dt>Run</dt>
      <dd className="-my-1 flex items-center gap-1">
        <Go className="link mono" to={links.run(run.id)}>
          {shortRunId(run.id)}
        </Go>{' '}
        <CopyButton text={run.id} label="Copy the run's id" />
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
          <dd className={`ct f-${familyOf(lookOfRun(run))}`}>{withLengths(run.failure.message)}</dd>
        </>
      )}
    </dl>
  );
}

function Foot({
  id,
  explanation,
  at,
}: {
  readonly id: string;
  readonly explanation: FullExplanation;
  readonly at: number;
}) {
  const links = useLinks();
  const mayChange = useMayChange();
  const [asked, setAsked] = useState<'trigger' | 'resume' | 'more'>();
  const remedy = remedyOf(explanation);
  const { canRun, canResume } = mayChange ? actsOf(explanation) : { canRun: false, canResume: false };
  const wantsMore = mayChange && explanation.answer === 'limitReached';
  if (!canRun && remedy === undefined && explanation.run === null) return null;
  return (
    <div className="dfoot">
      {canRun && (
        <button type="button" className="btn primary" onClick={() => setAsked('trigger')}>
          <Icon name="play" />
          Run this slot now…
        </button>
      )}
      {canResume && (
        <button type="button" className="btn" onClick={() => setAsked('resume')}>
          Resume…
        </button>
      )}
      {explanation.run !== null && (
        <Go className="btn" to={links.run(explanation.run.id)}>
          See the run
        </Go>
      )}
      {mayChange && remedy !== undefined && (
        <Go className="btn" to={`${links.edit(id)}?focus=${remedy.field}`}>
          {remedy.text}
        </Go>
      )}
      {wantsMore && (
        <button type="button" className="btn" onClick={() => setAsked('more')}>
          Give it more actions…
        </button>
      )}
      {asked === 'trigger' && (
        <Actions verb="trigger" ids={[id]} scheduledAt={at} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'resume' && <Actions verb="resume" ids={[id]} onClose={() => setAsked(undefined)} />}
      {asked === 'more' && <MoreActions id={id} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
