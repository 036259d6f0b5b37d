import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { apiKey } from '../relays/relay.ts';
import { soon } from '../time/until.ts';

const root = join(import.meta.dirname, '../../..');

/** The examples that are applications with dependencies of their own. */
const apps = {
  next: {
    env: (relayUrl: string) => ({ TURNPIKE_URL: relayUrl, TURNPIKE_API_KEY: apiKey }),
    isHydrated: "Object.keys(document.querySelector('output') ?? {}).some((key) => key.startsWith('__reactProps'))",
  },
  nuxt: {
    env: (relayUrl: string) => ({ NUXT_PUBLIC_RELAY_URL: relayUrl, NUXT_API_KEY: apiKey }),
    isHydrated: "'useNuxtApp' in window && !useNuxtApp().isHydrating",
  },
} as const;

export type AppName = keyof typeof apps;

/** A copy of an example with all that it depends on. */
export type App = {
  folder: string;
  /** What its servers get from their environment. */
  env(relayUrl: string): Record<string, string>;
  /** For its page: whether the framework has taken over what the server rendered. Before that, a listener is not there yet. */
  isHydrated: string;
};

/**
 * Copies an example to a place without node_modules above it, installs what it depends on, and builds it for production.
 * @param place a folder on a disk with a gigabyte to spare
 */
export async function buildApp(name: AppName, place: string): Promise<App> {
  const folder = join(place, 'examples', name);
  const isOurs = (path: string) => !/\/(node_modules|\.next|\.nuxt|\.output|\.data)$/.test(path);
  await cp(join(root, 'examples', name), folder, { recursive: true, filter: isOurs });
  // The package for shops, where the example looks for it.
  const isPackage = (path: string) => /\/dist(\/turnpike-[\d.]+\.tgz)?$/.test(path);
  await cp(join(root, 'dist'), join(place, 'dist'), { recursive: true, filter: isPackage });
  await npm(folder, 'install', '--no-audit', '--no-fund');
  await npm(folder, 'run', 'build');
  return { folder, ...apps[name] };
}

type Server = { script: 'start' | 'dev'; port: number; relayUrl: string };

/** Starts an application until the test ends: `start` what was built, `dev` the development server. Answers with all that it printed. */
export async function startApp({ folder, env }: App, { script, port, relayUrl }: Server): Promise<() => string> {
  const child = spawn('npm', ['run', script], {
    cwd: folder,
    env: { ...surroundings(), ...env(relayUrl), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: npm does not end its script's processes in every case.
    detached: true,
  });
  onTestFinished(() => endGroup(child));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data));
  await soon(`${script} in ${folder}`, async () => {
    if (child.exitCode !== null) throw new Error(printed);
    return (await fetch(`http://localhost:${port}/`)).ok || undefined;
  });
  return () => printed;
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  await promisify(execFile)('npm', args, { cwd, env: surroundings(), maxBuffer: 10_000_000 }).catch((error) => {
    throw new Error(`npm ${args.join(' ')} in ${cwd}: ${error.stdout}${error.stderr}`);
  });
}

/** The tests' own environment, without what would make the frameworks build for tests, or report to their makers. */
function surroundings(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' };
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, 'SIGKILL');
  await once(child, 'close');
}
