import { expect, test } from 'vitest';
import { planText, readTags, tagPlan } from './tag-plan.ts';

const tagged = (id: string, tags: readonly string[], declaredBy = '') => ({ id, tags, token: 1, declaredBy });
const three = [tagged('a', ['erp']), tagged('b', ['night', 'erp']), tagged('c', ['old'], 'billing@main')];

test('tags are added once, removed where they are, and only what changes is written', () => {
  const plan = tagPlan(three, { add: ['night'], remove: ['old'] });
  expect(plan.changes.map(({ id, tags }) => [id, tags])).toEqual([
    ['a', ['erp', 'night']],
    ['c', ['night']],
  ]);
  expect(plan.same).toBe(1);
  expect(tagPlan(three, { add: ['x'], remove: ['x'] }).changes).toEqual([]);
});

test('the plan is told with its counts, and with what a deploy will do', () => {
  expect(planText(tagPlan(three, { add: ['night'], remove: [] }))).toEqual([
    '2 schedules get other tags.',
    '1 stays as it is.',
    '1 of them is declared by a deploy; the next deploy may put the tags back.',
  ]);
  expect(planText(tagPlan(three, { add: [], remove: ['night'] }))).toEqual([
    '1 schedule gets other tags.',
    '2 stay as they are.',
  ]);
});

test('tags are read with commas and spaces', () => {
  expect(readTags(' billing, erp  night,,erp ')).toEqual(['billing', 'erp', 'night']);
});
