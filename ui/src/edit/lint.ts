/** What the linter says of the definition that is being edited, with remedies that one click takes. Pure. */
import type { LintSubject } from 'carillon/doctor';
import { lintSubjects } from 'carillon/doctor';
import type { Instant, ScheduleSpec } from 'carillon/spec';
import { lengthText } from '../time/text.ts';
import type { Draft, SpecDraft } from './draft.ts';
import { specOf, withField } from './draft.ts';
import { lengthMs } from './read-field.ts';

export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly fix: string;
  /** The change that fixes the problem with one click; absent where a person has to choose. */
  readonly remedy?: { readonly text: string; readonly draft: Draft };
}

export interface Known {
  readonly id: string;
  /** The seed of `H`; absent while the schedule has no name. */
  readonly seed?: string | undefined;
  readonly now: number;
  readonly zone: string;
  /** How long one run in twenty takes at least, where runs were measured. */
  readonly slowRunMs: number | undefined;
}

const mostFindings = 4;
/** The clock changes stand below the next times. */
const shownElsewhere: readonly string[] = ['dst-shift', 'dst-fold'];
const hourMs = 3_600_000;

export function findingsOf(draft: Draft, { id, seed, now, zone, slowRunMs }: Known): readonly Finding[] {
  const spec = specOf(draft);
  const subject: LintSubject = {
    name: id === '' ? 'this schedule' : id,
    spec: spec as ScheduleSpec,
    policy: policyOf(draft),
    action: {
      kind: 'run',
      queue: String(draft.queue ?? 'default'),
      name: String(draft.run ?? ''),
      input: null,
      settings:
        draft.timeout === undefined && draft.attemptTimeout === undefined ? {} : { attemptTimeoutMs: hourMs },
    },
    ...(slowRunMs === undefined ? {} : { slowRunMs }),
    ...(seed === undefined ? {} : { seed }),
  };
  try {
    return lintSubjects([subject], now as Instant)
      .filter(({ code }) => !shownElsewhere.includes(code))
      .slice(0, mostFindings)
      .map(({ code, severity, message, fix = '' }) => {
        const remedy = remedyOf({ code, fix }, draft, spec, zone);
        return { code, severity, message, fix, ...(remedy === undefined ? {} : { remedy }) };
      });
  } catch {
    // A field that cannot be read shows its own problem.
    return [];
  }
}

function policyOf({
  overlap = 'skip',
  missed = 'all',
  limit = 1,
  catchup,
}: Draft): NonNullable<LintSubject['policy']> {
  return {
    overlap: overlap as 'skip',
    missed: (missed === 'once' ? 'latest' : missed) as 'all',
    limit: Number(limit),
    catchupWindowMs: catchup === 'unlimited' ? Number.MAX_SAFE_INTEGER : (lengthMs(catchup) ?? hourMs),
    pauseAfterFailures: 0,
    idleCloseMs: 0,
    keepOriginalId: false,
  };
}

function remedyOf(
  { code, fix }: Pick<Finding, 'code' | 'fix'>,
  draft: Draft,
  spec: SpecDraft,
  zone: string,
): Finding['remedy'] {
  const withSpec = (text: string, next: SpecDraft) => ({ text, draft: withField(draft, 'spec', next) });
  switch (code) {
    case 'dst-skip':
      return withSpec('Move on instead', { ...spec, dst: { ...spec.dst, gap: 'shift' } });
    case 'dst-double':
      return withSpec('Run the first time only', { ...spec, dst: { ...spec.dst, fold: 'first' } });
    case 'zone-missing':
      return withSpec(`Use ${zone}`, { ...spec, zone });
    case 'top-of-hour':
      return withMinute(spec, 'H', 'Let the name choose the minute', withSpec);
    case 'minute-star':
      return withMinute(spec, '0', 'Once, at minute 0', withSpec);
    case 'no-timeout':
      return { text: 'Stop runs after 1 h', draft: withField(draft, 'timeout', '1h') };
    case 'catchup-short': {
      // The finding names a length that would be enough.
      const [, length] = /catchup: (\w+)$/.exec(fix) ?? [];
      return length === undefined
        ? undefined
        : {
            text: `Let it start up to ${lengthText(lengthMs(length) ?? 0)} late`,
            draft: withField(draft, 'catchup', length),
          };
    }
    case 'catchup-flood':
      return { text: 'Run the latest only', draft: withField(draft, 'missed', 'latest') };
    case 'overlap-risk':
      return draft.overlap === 'bufferOne'
        ? undefined
        : { text: 'Let one wait', draft: withField(draft, 'overlap', 'bufferOne') };
    default:
      return undefined;
  }
}

function withMinute(
  spec: SpecDraft,
  minute: string,
  text: string,
  withSpec: (text: string, next: SpecDraft) => Finding['remedy'],
): Finding['remedy'] {
  const [cron, ...others] = spec.cron ?? [];
  if (cron === undefined || others.length > 0 || (cron.dialect ?? 'unix') !== 'unix') return undefined;
  const parts = cron.text.trim().split(/\s+/);
  if (parts.length !== 5) return undefined;
  return withSpec(text, { ...spec, cron: [{ ...cron, text: [minute, ...parts.slice(1)].join(' ') }] });
}
