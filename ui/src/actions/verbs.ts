/** The words and commands of actions. Pure. */
import { quoted } from '../parts/quoted.ts';

export type ActionVerb = 'trigger' | 'pause' | 'resume' | 'delete' | 'release';

export interface Choices {
  readonly note: string;
  readonly overlap?: string | undefined;
  readonly missed?: string | undefined;
  readonly until?: string | undefined;
  readonly scheduledAt?: string | undefined;
}

interface VerbWords {
  readonly title: string;
  readonly button: string;
  readonly past: string;
  readonly isDangerous?: boolean;
}

export const verbWords: Readonly<Record<ActionVerb, VerbWords>> = {
  trigger: { title: 'Trigger', button: 'Trigger', past: 'triggered' },
  pause: { title: 'Pause', button: 'Pause', past: 'paused' },
  resume: { title: 'Resume', button: 'Resume', past: 'resumed' },
  delete: { title: 'Delete', button: 'Delete', past: 'deleted', isDangerous: true },
  release: { title: 'Release', button: 'Release', past: 'released' },
};

export const overlapChoices = [
  { value: '', text: 'As the schedule says', detail: 'its own overlap policy decides' },
  { value: 'bufferAll', text: 'Wait', detail: 'start when the run before it has ended' },
  { value: 'allowAll', text: 'Run beside it', detail: 'start at once in any case' },
  { value: 'cancelOther', text: 'Cancel it', detail: 'ask the running one to stop, then start' },
] as const;

export function doneText(verb: ActionVerb, what: string): string {
  const { past } = verbWords[verb];
  return `${past.charAt(0).toUpperCase()}${past.slice(1)} ${what}`;
}

export function commandFor(
  verb: ActionVerb,
  id: string,
  { note, overlap, missed, until, scheduledAt }: Choices,
): string {
  const flags = [
    ...(overlap === undefined ? [] : [`--overlap ${overlap}`]),
    ...(missed === undefined ? [] : [`--missed ${missed}`]),
    ...(until === undefined ? [] : [`--until ${until}`]),
    ...(scheduledAt === undefined ? [] : [`--scheduled-at ${scheduledAt}`]),
    ...(note === '' ? [] : [`--note ${quoted(note)}`]),
  ];
  return ['carillon schedule', verb, quoted(id), ...flags].join(' ');
}
