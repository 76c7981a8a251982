import { expect, test } from 'vitest';
import { readConfig } from '../../packages/server/src/server/config.ts';
import { settingViews } from '../../packages/server/src/server/settings.ts';

test('each setting names its source, and secrets are not shown', () => {
  const file = {
    store: 'postgres://ada:secret@db/carillon',
    http: { port: 9000 },
    keys: [{ name: 'ci', hash: `sha256:${'a'.repeat(64)}`, role: 'viewer' }],
    secrets: { file: '/etc/secrets' },
    grpc: { namespaces: { billing: { cluster: 'eu' } } },
    temporal: { clusters: { eu: { address: 'eu:7233', apiKey: 'a key of the cluster' } } },
  };
  const settings = [
    { path: 'name', source: 'CARILLON_NAME', value: 'east' },
    { path: 'http.port', source: '--http-port', value: 9001 },
  ];
  const views = settingViews({ config: readConfig(file, settings), file, settings });
  const byName = new Map(views.map((view) => [view.name, view]));
  expect(byName.get('http.port')).toMatchObject({ value: 9001, source: 'flag', setBy: '--http-port' });
  expect(byName.get('name')).toMatchObject({ value: 'east', source: 'environment', setBy: 'CARILLON_NAME' });
  expect(byName.get('store')).toMatchObject({ value: 'postgres://db/carillon', source: 'file' });
  expect(byName.get('concurrency')).toMatchObject({ value: 100, source: 'default', setBy: '' });
  expect(byName.get('grpc.namespaces.billing.cluster')).toMatchObject({ value: 'eu', source: 'file' });
  const shown = JSON.stringify(views);
  for (const secret of ['secret@', 'a'.repeat(64), '/etc/secrets', 'a key of the cluster'])
    expect(shown).not.toContain(secret);
});
