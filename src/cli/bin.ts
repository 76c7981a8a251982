#!/usr/bin/env node
/** The process around the program: the only file of the command line that names `process`. */
import { SystemClock } from '../base/clock.ts';
import { runProgram } from './program.ts';

const plain = (process.env.NO_COLOR ?? '') !== '';

// A reader that closes early (`carillon next … | head -1`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Setting the code instead of exiting lets output drain into a pipe.
process.exitCode = await runProgram(process.argv.slice(2), {
  now: new SystemClock().now(),
  stdout: process.stdout,
  stderr: process.stderr,
  colors: {
    stdout: !plain && process.stdout.isTTY === true,
    stderr: !plain && process.stderr.isTTY === true,
  },
});
