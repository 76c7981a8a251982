import { describe, expect, test } from 'vitest';
import { declarerText, deployedOf } from './deploy.ts';

const entry = (at: string, fields: object) => ({
  at: `2026-11-18T${at}:00Z`,
  actor: 'mara',
  door: 'rest',
  action: 'update',
  note: '',
  ...fields,
});

describe('the next deploy', () => {
  test('puts back what people changed since the last one, once per field', () => {
    const { at, drift } = deployedOf([
      entry('12:00', {
        actor: 'ana',
        changes: [{ path: 'policy.overlap', before: 'bufferOne', after: 'bufferAll' }],
      }),
      entry('11:00', { changes: [{ path: 'policy.overlap', before: 'skip', after: 'bufferOne' }] }),
      entry('10:00', { note: 'as declared', changes: [{ path: 'tags', before: [], after: ['a'] }] }),
    ]);
    expect(at).toBe(Date.parse('2026-11-18T10:00:00Z'));
    expect(drift).toMatchObject([{ path: 'policy.overlap', before: 'skip', after: 'bufferAll', by: 'ana' }]);
  });

  test('leaves pauses alone, and what was changed back', () => {
    const { drift } = deployedOf([
      entry('12:00', { action: 'pause', changes: [{ path: 'paused', before: null, after: {} }] }),
      entry('11:30', { changes: [{ path: 'tags', before: ['b'], after: ['a'] }] }),
      entry('11:00', { changes: [{ path: 'tags', before: ['a'], after: ['b'] }] }),
      entry('10:00', { door: 'periodic', action: 'create' }),
    ]);
    expect(drift).toEqual([]);
  });

  test('names the declarer', () => {
    expect(declarerText('periodic')).toBe('its code');
    expect(declarerText('manifest:nightly')).toBe('the manifest nightly');
  });
});
