// The published entry points that the reference describes, and their sources.
export const entryPoints = {
  carillon: 'packages/carillon/src/main.ts',
  'carillon/periodic': 'packages/carillon/src/periodic/index.ts',
  'carillon/lock': 'packages/carillon/src/lock/index.ts',
  'carillon/host': 'packages/carillon/src/embed/host.ts',
  'carillon/client': 'packages/carillon/src/client/index.ts',
  'carillon/testing': 'packages/carillon/src/testing/index.ts',
  '@carillon/server': 'packages/server/src/server/index.ts',
};
