/**
 * The recorded answers that Carillon does not give, on purpose. Each names the row of the table 'Differences, on purpose'
 * in `docs/conductor.md` that says why; a test checks that the row is there.
 */
const oneRunPerSlot = 'an entry that is listed twice fires twice';
const refused = 'a cron that cannot be read, an empty name and a priority above 99 are stored';

export const deliberate: Readonly<Record<string, string>> = {
  // Reads back what another case could not store.
  'sch-120': refused,
  'sch-191': 'the advice refuses a window of one instant, and other recorded cases rely on it',
  'sch-451': refused,
  'sch-455': oneRunPerSlot,
  'sch-458': refused,
  'sch-459': oneRunPerSlot,
  'sch-462': oneRunPerSlot,
  'sch-467': oneRunPerSlot,
  'sch-468': oneRunPerSlot,
  'sch-509': 'the routes of the first generation are gone',
  'sch-510': 'the routes of the first generation are gone',
  'sch-548': refused,
};

const newerTables = 'Morocco moves its clocks around Ramadan';
const halfHour = 'a clock change of half an hour loses a slot';

/** Recorded slots that are others here. */
export const deliberateSlots: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['dst-066', 'dst-072', 'dst-076'].map((id) => [id, halfHour])),
  ...Object.fromEntries(
    [221, 222, 223, 226, 227, 228, 230, 231, 232, 233, 235, 237, 238, 240].map((number) => [
      `dst-${number}`,
      newerTables,
    ]),
  ),
};

const unsupported = 'a task of an unknown type is registered, and waits for a worker of that type';

/** Recorded answers about workflows, tasks and definitions that are others here. */
export const deliberateFlows: Readonly<Record<string, string>> = {
  'wf-024': unsupported,
  'wf-045': unsupported,
  'wf-238': 'a place in external storage is given for every payload',
};
