// What parts need of the machine: toolchains, and what they build once into a folder that git ignores. A need that cannot be met
// throws `NotHere` with its name; a program of ours that does not compile is an error.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './processes.mjs';
import { NotHere } from './report.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const programs = join(root, 'interop/programs');
export const cache = join(root, '.cache/interop');
const bin = join(cache, 'bin');

/** What is published under a version; Go, Python and Maven programs of ours have theirs in their own files. */
const versions = {
  temporalUi: 'v2.54.1',
  conductor: '3.32.3',
};

const known = new Map();

/** Meets a need once per run. */
function once(name, meet) {
  return async () => {
    if (!known.has(name)) known.set(name, meet());
    return await known.get(name);
  };
}

/** Builds take long, so they run at a low priority. */
const quietly = { env: { ...process.env, GOFLAGS: '-p=1 -buildvcs=false', GOBIN: bin }, withinMs: 3_600_000 };
const nice = async (command, args, options = {}) =>
  await run('nice', ['-n', '10', command, ...args], { ...quietly, ...options });

async function answers(command, args, name) {
  try {
    return await run(command, args);
  } catch {
    throw new NotHere(name);
  }
}

async function fetched(name, work) {
  try {
    return await work();
  } catch (error) {
    throw new NotHere(`${name} cannot be fetched: ${error.message.split('\n').at(-1)}`);
  }
}

/** True when these inputs were built before. */
function isBuilt(output, inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(existsSync(input) ? readFileSync(input) : input);
  const stamp = `${output}.stamp`;
  const digest = hash.digest('hex');
  const is = existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
  return { is, done: () => writeFileSync(stamp, digest) };
}

const go = once('go', async () => {
  mkdirSync(bin, { recursive: true });
  await answers('go', ['version'], 'Go');
});

/** A Go program of ours, by its folder. */
async function goProgram(folder) {
  await go();
  const cwd = join(programs, folder);
  const output = join(bin, folder);
  const built = isBuilt(
    output,
    readdirSync(cwd).map((file) => join(cwd, file)),
  );
  if (!built.is) {
    await fetched(`Go modules of ${folder}`, () => nice('go', ['mod', 'download'], { cwd }));
    await nice('go', ['build', '-o', output, '.'], { cwd });
    built.done();
  }
  return output;
}

/** A published Go program. */
async function goInstall(path, version, output) {
  await go();
  const built = isBuilt(join(bin, output), [version]);
  if (!built.is) {
    await fetched(path, () => nice('go', ['install', `${path}@${version}`]));
    built.done();
  }
  return join(bin, output);
}

const python = once('python', async () => {
  await answers('python3', ['--version'], 'Python 3');
  const requirements = join(programs, 'python/requirements.txt');
  const folder = join(cache, 'python');
  const built = isBuilt(folder, [requirements]);
  if (!built.is) {
    mkdirSync(cache, { recursive: true });
    await answers('python3', ['-m', 'venv', folder], 'Python venv');
    await fetched('Python packages', () =>
      run(join(folder, 'bin/pip'), ['install', '--quiet', '-r', requirements], { withinMs: 600_000 }),
    );
    built.done();
  }
  return join(folder, 'bin/python');
});

const maven = once('maven', async () => {
  await answers('mvn', ['-version'], 'Maven');
});

const java = once('java', async () => {
  await answers('java', ['-version'], 'Java');
  await maven();
  const folder = join(programs, 'java');
  const target = join(cache, 'java');
  const sources = ['pom.xml', 'src/main/java/Schedules.java'].map((file) => join(folder, file));
  const built = isBuilt(join(target, 'classes'), sources);
  if (!built.is) {
    mkdirSync(target, { recursive: true });
    await mavenRun(['-f', join(folder, 'pom.xml'), `-DbuildDirectory=${target}`, 'package']);
    built.done();
  }
  return ['java', '-cp', `${join(target, 'classes')}:${join(target, 'dependency')}/*`];
});

async function mavenRun(args) {
  try {
    await nice('mvn', ['-q', '-B', ...args], { withinMs: 1_200_000 });
  } catch (error) {
    if (/Could not (transfer|resolve|find) artifact/.test(error.message)) throw new NotHere('Maven Central');
    throw error;
  }
}

const java21 = once('java21', async () => {
  const homes = [process.env.JAVA_HOME, ...folders('/usr/lib/jvm')].filter(Boolean);
  for (const home of [...homes.map((each) => join(each, 'bin/java')), 'java']) {
    const version = await run(home, ['--version']).catch(() => '');
    if (Number(/(?:openjdk|java) (\d+)/.exec(version)?.[1] ?? 0) >= 21) return home;
  }
  throw new NotHere('Java 21 or newer');
});

function folders(path) {
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
}

const conductor = once('conductor', async () => {
  const command = await java21();
  await maven();
  const jar = join(cache, `conductor-server-${versions.conductor}-boot.jar`);
  if (!existsSync(jar)) {
    const artifact = `org.conductoross:conductor-server:${versions.conductor}:jar:boot`;
    await fetched('the Conductor server', () =>
      mavenRun(['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${cache}`]),
    );
  }
  return { java: command, jar };
});

const chromium = once('chromium', async () => {
  const names = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = [process.env.CARILLON_TEST_CHROMIUM ?? '', ...names].find(
    (file) => file !== '' && existsSync(file),
  );
  if (found === undefined) throw new NotHere('Chromium');
  return found;
});

export const needs = {
  python,
  java,
  conductor,
  chromium,
  goSdk: once('goSdk', () => goProgram('go')),
  realTemporal: once('realTemporal', () => goProgram('real-temporal')),
  temporalCli: once('temporalCli', () => goProgram('temporal-cli')),
  temporalUi: once('temporalUi', () =>
    goInstall('github.com/temporalio/ui-server/v2/cmd/server', versions.temporalUi, 'server'),
  ),
};
