// What a part gets: the report, a folder of its own, and servers that are stopped after it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './processes.mjs';
import { CarillonServer, ConductorServer, TemporalServer } from './servers.mjs';

export class Stage {
  report;
  folder = mkdtempSync(join(tmpdir(), 'carillon-interop-'));
  #cleanups = [() => rmSync(this.folder, { recursive: true, force: true })];

  constructor(report) {
    this.report = report;
  }

  after(cleanup) {
    this.#cleanups.push(cleanup);
  }

  /** `carillon dev`; with a configuration `carillon start`. */
  async carillon(config) {
    return await this.#started(new CarillonServer(this.#ownFolder(), config));
  }

  async temporal() {
    return await this.#started(new TemporalServer(this.#ownFolder()));
  }

  async conductor() {
    return await this.#started(new ConductorServer(this.#ownFolder()));
  }

  program(command, args, options) {
    const program = new Program(command, args, options);
    this.after(() => program.kill());
    return program;
  }

  /**
   * Runs a program that prints one line of JSON per finding: `{ check, ok, why }` counts, `{ seen, value }` is for comparing
   * servers. Returns what was seen, by name.
   */
  async findings(title, command, args, options) {
    const program = this.program(command, args, options);
    const code = await program.end();
    const seen = new Map();
    let checks = 0;
    for (const line of program.lines.filter((each) => each.startsWith('{'))) {
      const found = JSON.parse(line);
      if ('seen' in found) seen.set(found.seen, found.value);
      else {
        checks += 1;
        if (found.ok) this.report.passed(`${title}: ${found.check}`);
        else this.report.failed(`${title}: ${found.check}`, found.why);
      }
    }
    if (code !== 0 || checks + seen.size === 0) {
      // A stack begins with what went wrong and ends with where in our program.
      const { errors } = program;
      const said = errors.length > 10 ? [...errors.slice(0, 3), '…', ...errors.slice(-6)] : errors;
      this.report.failed(`${title}: the program runs to its end`, said.join('\n'));
    }
    return seen;
  }

  async end() {
    for (const cleanup of this.#cleanups.toReversed()) await cleanup();
  }

  #ownFolder() {
    return mkdtempSync(join(this.folder, 'server-'));
  }

  async #started(server) {
    this.after(() => server.kill());
    return await server.start();
  }
}
