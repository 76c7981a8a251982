/** The program under its second name, `carillon-server`: all commands, those of the library included. */
import { runProcess } from 'carillon/internal/cli';
import * as server from './index.ts';

await runProcess(server);
