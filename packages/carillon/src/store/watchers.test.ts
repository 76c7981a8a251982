import { expect, test } from 'vitest';
import { Watchers } from './watchers.ts';

test('a watcher that throws is reported, and the others get the event', () => {
  const errors: unknown[] = [];
  const heard: string[] = [];
  const watchers = new Watchers((error) => errors.push(error));
  const broken = new Error('broken watcher');
  watchers.add(() => {
    throw broken;
  });
  const leave = watchers.add(({ kind }) => heard.push(kind));
  watchers.tell({ kind: 'rewound' });
  expect([errors, heard]).toEqual([[broken], ['rewound']]);
  leave();
  watchers.tell({ kind: 'rewound' });
  expect(heard).toEqual(['rewound']);
  watchers.clear();
  watchers.tell({ kind: 'rewound' });
  expect(errors).toHaveLength(2);
});
