/**
 * What archetypes share knows none of them: no file in `engine`, `store`, `ledger` or `runs` names a schedule, a host or
 * a flow, so that a second and a third archetype need no change there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withoutComments } from '../../scripts/without-comments.mjs';

const source = fileURLToPath(new URL('../../packages/carillon/src/', import.meta.url));
const general = ['engine', 'store', 'ledger', 'runs'];

/** Words made of the name of an archetype: `ScheduleNode`, `aSchedule`, `scheduleId`, `hosts`, `flow`. */
const archetypeName =
  /^(schedule|host|flow)(s|r|rs)?([A-Z_].*)?$|[a-z_](Schedule|Host|Flow)(s|r|rs)?([A-Z_].*)?$|^(Schedule|Host|Flow)(s|r|rs)?([A-Z_].*)?$/;

/** Words that mean something else here, each with its reason. */
const meantOtherwise: Readonly<Record<string, string>> = {
  schedule:
    'the verb (a transition schedules a task); in runs the field that tells a handler whose run it has',
  schedules: 'the verb',
  scheduleLater: 'the verb',
  host: 'a machine: the address of a database, the computer a process runs on',
  hosts: 'the same',
};

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join(folder, path));
}

/** Words of the code: comments, and sentences for people, may say what the code is good for. */
function namesIn(path: string): readonly string[] {
  const text = readFileSync(join(source, path), 'utf8');
  const code = withoutComments(text).replaceAll(
    /(['"`])(?:(?!\1)[^\\\n]|\\.)*? (?:(?!\1)[^\\\n]|\\.)*?\1/g,
    ' ',
  );
  const words = code.match(/[A-Za-z_$][\w$]*/g) ?? [];
  const named = words.filter((word) => archetypeName.test(word) && !(word in meantOtherwise));
  const imported = [...text.matchAll(/from '([^']*\/(?:scheduler|host|flow)\/[^']*)'/g)].map((found) =>
    String(found[1]),
  );
  return [...new Set([...named, ...imported])];
}

test.each(general)('no file in %s names an archetype', (folder) => {
  const files = filesIn(folder);
  expect(files.length).toBeGreaterThan(0);
  const naming = files.map((path) => [path, namesIn(path)] as const).filter(([, names]) => names.length > 0);
  expect(Object.fromEntries(naming)).toEqual({});
});

test('the words are recognised', () => {
  const words = [
    'ScheduleNode',
    'aSchedule',
    'scheduleId',
    'Scheduler',
    'hosts',
    'flow',
    'FlowTask',
    'runHost',
  ];
  expect(words.filter((word) => !archetypeName.test(word))).toEqual([]);
  const others = ['scheduled', 'scheduledAt', 'hostname', 'overflow', 'isScheduled', 'ghost'];
  expect(others.filter((word) => archetypeName.test(word))).toEqual([]);
});
