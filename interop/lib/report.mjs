// What the parts found, and how it is printed.

/** Thrown by a need that this machine cannot meet; the message names it. */
export class NotHere extends Error {}

export class Report {
  /** `{ part, name, state: 'passed' | 'failed' | 'not here', why }` in the order they were found. */
  rows = [];
  #part = '';

  begin(part) {
    this.#part = part;
    console.log(`\n== ${part}`);
  }

  passed(name) {
    this.#add(name, 'passed');
  }

  failed(name, why) {
    this.#add(name, 'failed', why);
  }

  notHere(name, why) {
    this.#add(name, 'not here', why);
  }

  /** Passes when the function returns, fails with what it throws. */
  async check(name, run) {
    try {
      const value = await run();
      this.passed(name);
      return value;
    } catch (error) {
      if (error instanceof NotHere) this.notHere(name, error.message);
      else this.failed(name, error.message);
      return undefined;
    }
  }

  /** A finding that is neither right nor wrong: a difference that is known, a number. */
  note(text) {
    console.log(`   ${text}`);
  }

  #add(name, state, why = '') {
    this.rows.push({ part: this.#part, name, state, why });
    const mark = { passed: 'ok', failed: 'FAILED', 'not here': 'not here' }[state];
    console.log(
      `   ${mark.padEnd(8)} ${name}${why === '' ? '' : `\n            ${why.replaceAll('\n', '\n            ')}`}`,
    );
  }

  /** The table of all parts and the counting line. Returns whether nothing failed. */
  end() {
    const count = (rows, state) => rows.filter((row) => row.state === state).length;
    const parts = [...new Set(this.rows.map(({ part }) => part))];
    const table = parts.map((part) => {
      const rows = this.rows.filter((row) => row.part === part);
      return [part, ...['passed', 'failed', 'not here'].map((state) => String(count(rows, state)))];
    });
    console.log(`\n${tableText(['PART', 'PASSED', 'FAILED', 'NOT HERE'], table)}`);
    for (const { part, name, state, why } of this.rows.filter(({ state }) => state !== 'passed')) {
      console.log(`${state}: ${part}: ${name}${why === '' ? '' : `: ${why.split('\n')[0]}`}`);
    }
    const [passed, failed, absent] = ['passed', 'failed', 'not here'].map((state) => count(this.rows, state));
    console.log(`\n${passed} passed, ${failed} failed, ${absent} not here`);
    return failed === 0;
  }
}

export function tableText(head, rows) {
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => String(row[index]).length)),
  );
  const line = (row) =>
    row
      .map((cell, index) => String(cell).padEnd(widths[index]))
      .join('  ')
      .trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}
