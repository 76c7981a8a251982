/** Runs statements on a file in another thread: checking a copy of gigabytes must not block the event loop. */
import { Worker } from 'node:worker_threads';
import { driverFile, type SqlRow } from './driver.ts';

const program = `
const { parentPort, workerData } = require('node:worker_threads');
process.emitWarning = () => {};
const { file, path, statements } = workerData;
const { DatabaseSync } = file === null ? process.getBuiltinModule('node:sqlite') : require(file);
const database = new DatabaseSync(path);
try {
  let rows = [];
  for (const sql of statements) rows = database.prepare(sql).all();
  parentPort.postMessage(rows.map((row) => Object.values(row)));
} finally {
  database.close();
}
`;

/** Runs the statements one after the other; returns the rows of the last one. */
export async function runInThread(
  path: string,
  ...statements: readonly string[]
): Promise<readonly SqlRow[]> {
  const worker = new Worker(program, {
    eval: true,
    workerData: { file: driverFile(), path, statements },
  });
  return await new Promise<readonly SqlRow[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread ended without an answer')));
  });
}
