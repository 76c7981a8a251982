/**
 * How a verdict came about, as a chain of two to five links: the cause first, the verdict last. Each link is one
 * sentence, one line of detail, and what it leads to. Pure; the caller reads the data.
 */
import { countText } from '../../base/count-text.ts';
import { roughDuration } from '../../base/duration.ts';
import { auto } from '../../ledger/ledger.ts';
import { optionsOf } from '../../runs/run.ts';
import type { ClockEffect } from '../../scheduler/clock-effect.ts';
import type { Explanation } from '../../scheduler/explain.ts';
import { describeSpec } from '../../spec/index.ts';
import { timeJson } from '../wire.ts';
import type { ChainLink, ChainMaterial } from './chain-link.ts';
import { noSubject, slotLink } from './chain-link.ts';
import {
  askedLink,
  creationLinks,
  endLinks,
  ownPauseLinks,
  pauseLinks,
  personLink,
  personLinks,
  resumeLinks,
} from './chain-people.ts';
import {
  boundLink,
  excludedLink,
  fullLink,
  limitLink,
  missedLink,
  overlapLink,
  rule,
  unclaimedLink,
  windowLink,
} from './chain-rules.ts';
import { blockerLinks, delayLinks, likelyLink, ranAsLinks, runLinks, usualText } from './chain-runs.ts';

const mostLinks = 5;

export function chainOf(material: ChainMaterial): readonly ChainLink[] {
  const links = [...causesOf(material), verdictLink(material)];
  // The sentence about the spec says what the change of the clock does as well.
  return links.length > mostLinks ? links.filter(({ type }) => type !== 'clock') : links;
}

function causesOf(material: ChainMaterial): readonly ChainLink[] {
  const { explanation } = material;
  const first = [...clockLinks(material), originLink(material)];
  switch (explanation.answer) {
    case 'started':
      return [...first, ...runLinks(explanation.run, material)];
    case 'startedLate':
      return [...first, ...delayLinks(material), ...runLinks(explanation.run, material)];
    case 'buffered':
    case 'skippedOverlap': {
      const blocked = blockerLinks(material);
      return [...(blocked.length > 0 ? blocked : first), overlapLink(material)];
    }
    case 'missedWindow':
      return [...first, ...delayLinks(material), windowLink(material)];
    case 'coalesced':
      return [...delayLinks(material), missedLink(material), ...ranAsLinks(material)];
    case 'paused':
      return [...first, ...pauseLinks(material), ...resumeLinks(material)];
    case 'superseded':
    case 'cancelled':
      return [...first, ...personLinks(material)];
    case 'limitReached':
      return [...first, limitLink(material)];
    case 'bufferFull':
      return [...first, fullLink(material)];
    case 'alreadyStarted':
      return [...takenLinks(material), ...first, rule('A slot that has a run does not start by itself.', '')];
    case 'noWorker':
      return [...first, ...runLinks(explanation.run, material).slice(0, 1), unclaimedLink(material)];
    case 'excluded':
      return [...first, excludedLink(material)];
    case 'outOfBounds':
      return [...first, boundLink(material)];
    case 'notYet':
      return [...first, ...comingLinks(material)];
    case 'notInSpec':
      return [...first, ...nearbyLinks(material)];
    case 'beforeCreation':
      return creationLinks(material);
    case 'afterEnd':
      return endLinks(material);
    case 'forgotten':
      return [
        rule('Slots are kept for a while and then removed.', 'retention, in the settings of the server'),
      ];
    default:
      return [...first, ...runLinks(explanation.run, material)];
  }
}

/** Why there is a slot at all: the spec names it, or a person asked for it. */
function originLink({ explanation, definition, audit, clock }: ChainMaterial): ChainLink {
  const { at, cause } = explanation;
  if (cause !== auto) return askedLink(audit, cause, explanation.decidedAt);
  const words = definition === undefined ? '' : describeSpec(definition.spec, definition);
  return {
    type: 'spec',
    at: timeJson(at),
    text: namedText(explanation, clock),
    detail: words,
    subject: explanation.stamp === null ? noSubject : { type: 'version', stamp: explanation.stamp },
  };
}

/** The run that the slot has already, and who asked for it. */
function takenLinks(material: ChainMaterial): readonly ChainLink[] {
  const { run } = material.explanation;
  if (run === null) return [];
  const { cause = auto } = optionsOf(run);
  const asked = cause === auto ? [] : [askedLink(material.audit, cause, run.createdAt)];
  return [...asked, ...runLinks(run, material).slice(0, 1)];
}

function namedText({ answer, previous, next }: Explanation, clock: ClockEffect | undefined): string {
  if (clock !== undefined) return clockText(answer, clock);
  if (answer !== 'notInSpec') return 'The spec names this time.';
  return previous === null && next === null ? 'The spec names no times.' : 'The spec names other times.';
}

/** The wall-clock time that the spec names, and what the clock makes of it. */
function clockText(
  answer: Explanation['answer'],
  { named, here, byMs, changedAt, other }: ClockEffect,
): string {
  if (byMs > 0) {
    const moved = answer === 'dstGap' ? '' : `: it moves to ${here}`;
    return `The spec names ${named}, which the clock skips on this day${moved}.`;
  }
  const which = other !== null && other < changedAt ? 'second' : 'first';
  return `The spec names ${named}, which comes twice on this day: this is the ${which} of the two.`;
}

/** The slots around a time that is not a slot. */
function nearbyLinks({ explanation: { previous, next } }: ChainMaterial): readonly ChainLink[] {
  return [
    ...(previous === null ? [] : [slotLink(previous, 'is the slot before it.')]),
    ...(next === null ? [] : [slotLink(next, 'is the slot after it.')]),
  ];
}

/** What is known of a slot to come. */
function comingLinks(material: ChainMaterial): readonly ChainLink[] {
  const { definition, usual, tooLong } = material;
  const paused = definition?.paused ?? null;
  if (paused !== null) {
    return paused.by === 'policy'
      ? ownPauseLinks(material, paused.at)
      : [personLink(paused, 'paused the schedule.')];
  }
  if (tooLong !== undefined) return [likelyLink(tooLong, material), overlapLink(material)];
  if (usual.p50Ms === null) return [];
  const text = `Its run usually takes ${roughDuration(usual.p50Ms)}.`;
  return [{ type: 'run', at: null, text, detail: usualText(usual), subject: noSubject }];
}

/** The change of the clock that touches the slot. */
function clockLinks({ clock }: ChainMaterial): readonly ChainLink[] {
  if (clock === undefined) return [];
  const { zone, changedAt, byMs, rule: detail } = clock;
  const text = `The clock of ${zone} is set ${byMs < 0 ? 'back' : 'forward'} ${roughDuration(Math.abs(byMs))}.`;
  return [{ type: 'clock', at: timeJson(changedAt), text, detail, subject: noSubject }];
}

function verdictLink({ explanation, waiting }: ChainMaterial): ChainLink {
  const { answer, text, decidedAt, run } = explanation;
  const others = waiting.length;
  return {
    type: 'verdict',
    // The sentence also says how the run ended, so the link has the time of that end.
    at: timeJson(run?.finishedAt ?? decidedAt),
    text,
    detail:
      others > 0 && answer === 'skippedOverlap'
        ? `after ${countText(others)} other${others === 1 ? '' : 's'} that the same run held up`
        : '',
    subject: run === null ? noSubject : { type: 'run', id: run.id },
  };
}
