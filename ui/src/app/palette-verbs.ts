/** A verb and a schedule: `pause night`, `trigger invoice-sync`, `resume x`, `edit x`. Pure. */
export const paletteVerbs = ['trigger', 'pause', 'resume', 'backfill', 'edit', 'delete'] as const;
export type PaletteVerb = (typeof paletteVerbs)[number];

export interface Asked {
  readonly verb: PaletteVerb;
  /** The text by which the schedule is found. */
  readonly find: string;
}

const pattern = new RegExp(`^(${paletteVerbs.join('|')})\\s+(\\S.*)$`, 'i');

export function readVerb(text: string): Asked | undefined {
  const [, verb, find] = pattern.exec(text) ?? [];
  return verb === undefined || find === undefined
    ? undefined
    : { verb: verb.toLowerCase() as PaletteVerb, find };
}

/** Whether the verb fits the state: a paused schedule is not paused again, and only a paused one is resumed. */
export function canDo(verb: PaletteVerb, status: string): boolean {
  if (verb === 'pause') return status !== 'paused';
  return verb !== 'resume' || status === 'paused';
}

/** `Pause night-01…`; an edit has its own page. */
export function verbText(verb: PaletteVerb, id: string): string {
  return `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)} ${id}${verb === 'edit' ? '' : '…'}`;
}

export const verbDetails: Readonly<Record<PaletteVerb, string>> = {
  trigger: 'Shows first what will happen',
  pause: 'With a note, until a time',
  resume: 'Asks what becomes of the slots of the pause',
  backfill: 'Lists the slots of a range first',
  edit: '',
  delete: 'Shows first what will happen',
};
