// Keeps the processor busy with other work, so that a suite can show that its results do not depend on the speed of the machine.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Spins until its parent process has ended in any way. */
const spin = `
const parent = process.ppid;
while (process.ppid === parent) for (let i = 0; i < 1e6; i += 1);
`;

/** Two processes for each core, each at its full speed. Returns a function that ends them. */
export function keepBusy(count = 2 * availableParallelism()) {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', spin], { stdio: 'ignore' }),
  );
  console.log(
    `${count} other processes keep the processor busy (${children.map(({ pid }) => pid).join(', ')})`,
  );
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}
