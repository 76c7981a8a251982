/** Reads the filters of a listing from a query. */
import { attentionKinds, scheduleSorts, scheduleStatuses } from 'carillon/internal/service';
import { z } from 'zod';
import { flagText, includeField, pageFields, severalOf, timeText } from './fields.ts';

const word = z.string().min(1).max(1000);

/** The fields that filter schedules by their definition, in any state. */
export const partFields = {
  tag: severalOf(word).optional().meta({ description: 'all of them' }),
  owner: word.optional(),
  queue: word.optional(),
  name: word.optional().meta({ description: 'name of the handler' }),
  text: word.optional().meta({
    description:
      'part of id, handler, owner, description, note, tags, cron text or zone; case does not matter',
  }),
  prefix: word.optional().meta({ description: 'beginning of the id' }),
};

/** All fields that filter schedules. */
export const filterFields = {
  state: z
    .enum(scheduleStatuses)
    .optional()
    .meta({ description: 'as `status` says it; `closed` needs no includeClosed' }),
  ...partFields,
  id: severalOf(word).optional().meta({ description: 'only these' }),
  failing: flagText.optional().meta({ description: 'the last run failed' }),
  busy: flagText.optional().meta({ description: 'something runs or waits' }),
  late: flagText.optional().meta({ description: 'should have acted by now' }),
  nextFrom: timeText.optional(),
  nextTo: timeText.optional(),
  attribute: severalOf(z.string().regex(/^[^$=][^=]*=/, 'write name=value'))
    .optional()
    .meta({ description: 'custom attribute, as name=value' }),
  includeClosed: flagText.optional(),
};

/** The filter by attention, for lists and counts of open schedules. */
export const attentionField = {
  attention: z
    .enum([...attentionKinds, 'any'])
    .optional()
    .meta({ description: 'needs a person for this reason; `any`: for any reason but a pause' }),
};

export const countQuery = z.strictObject({ ...filterFields, include: includeField, ...pageFields });

export const listQuery = z.strictObject({
  ...filterFields,
  ...attentionField,
  include: includeField,
  sort: z.enum(scheduleSorts).optional().meta({
    description:
      'default `id`; `attention`: what needs a person first; `next`: what is due first; both of open schedules only',
  }),
  strip: flagText
    .optional()
    .meta({ description: 'with the last 20 slots of each, and why it needs a person' }),
  ...pageFields,
});

export type ListFilters = z.output<typeof listQuery>;
