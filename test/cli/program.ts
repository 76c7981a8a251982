/** The program with both packages installed. */
import type { Context } from '../../packages/carillon/src/cli/context.ts';
import type { ExitCode } from '../../packages/carillon/src/cli/exit.ts';
import { runProgram as runWith } from '../../packages/carillon/src/cli/program.ts';
import * as server from '../../packages/server/src/cli/index.ts';

export async function runProgram(args: readonly string[], context: Context): Promise<ExitCode> {
  return await runWith(args, context, server);
}
