/**
 * The program of the thread that runs scripts. It is a text, because a thread cannot load TypeScript, and tests run the sources
 * without building them. Only JSON passes between the script and the thread.
 */
export const threadProgram = `
const { parentPort, workerData } = require('node:worker_threads');
const { newQuickJSWASMModule } = require(workerData.file);
const { limits } = workerData;

function evaluate(quickJs, { script, input }) {
  const runtime = quickJs.newRuntime();
  const began = performance.now();
  let isLate = false;
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(512 * 1024);
  runtime.setInterruptHandler(() => {
    isLate = isLate || performance.now() - began > limits.timeMs;
    return isLate;
  });
  const context = runtime.newContext();
  try {
    const program = 'globalThis.$ = JSON.parse(' + JSON.stringify(input) + ');' +
      'JSON.stringify((0, eval)(' + JSON.stringify(script) + '));';
    const result = context.evalCode(program, 'script.js', { strict: false });
    if (result.error !== undefined) {
      const error = context.dump(result.error);
      result.error.dispose();
      if (isLate) return { error: 'the script ran longer than ' + limits.timeMs + ' ms' };
      return { error: typeof error === 'object' && error !== null ? error.name + ': ' + error.message : String(error) };
    }
    const value = context.dump(result.value);
    result.value.dispose();
    if (typeof value !== 'string') return { value: null };
    if (value.length > limits.resultLength)
      return { error: 'the result has ' + value.length + ' characters of JSON, at most ' + limits.resultLength + ' are kept' };
    return { value };
  } finally {
    context.dispose();
    runtime.dispose();
  }
}

newQuickJSWASMModule().then((quickJs) => {
  parentPort.on('message', (script) => {
    let answer;
    try {
      answer = evaluate(quickJs, script);
    } catch (error) {
      answer = { error: String(error && error.message || error) };
    }
    parentPort.postMessage(answer);
  });
  parentPort.postMessage('ready');
});
`;
