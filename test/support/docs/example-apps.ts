import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { apiKey } from '../relays/relay.ts';
import { soon } from '../time/until.ts';

const root = join(import.meta.dirname, '../../..');

/** The examples that are applications with their own dependencies. */
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

/** A copy of an example with all its dependencies. */
export type App = {
  folder: string;
  /** The environment of its servers. */
  env(relayUrl: string): Record<string, string>;
  /** For its page: whether the framework has hydrated the server's HTML. Before that, listeners are missing. */
  isHydrated: string;
};

/**
 * Copies an example to a place without node_modules above it, installs its dependencies, and builds it for
 * production.
 * @param place a folder on a disk with a gigabyte of free space
 */
export async function buildApp(name: AppName, place: string): Promise<App> {
  const folder = join(place, 'examples', name);
  const isOurs = (path: string) => !/\/(node_modules|\.next|\.nuxt|\.output|\.data)$/.test(path);
  await cp(join(root, 'examples', name), folder, { recursive: true, filter: isOurs });
  // The package for shops, at the path that the example expects.
  const isPackage = (path: string) => /\/dist(\/turnpike-[\d.]+\.tgz)?$/.test(path);
  await cp(join(root, 'dist'), join(place, 'dist'), { recursive: true, filter: isPackage });
  await npm(folder, 'install', '--no-audit', '--no-fund');
  await npm(folder, 'run', 'build');
  return { folder, ...apps[name] };
}

type Server = { script: 'start' | 'dev'; port: number; relayUrl: string };

/**
 * Starts an application until the test ends: `start` runs the build, `dev` the development server. Returns all its
 * output.
 */
export async function startApp({ folder, env }: App, { script, port, relayUrl }: Server): Promise<() => string> {
  const child = spawn('npm', ['run', script], {
    cwd: folder,
    env: { ...surroundings(), ...env(relayUrl), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a separate process group: npm does not end its script's processes in every case.
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

/** The tests' environment, without variables that make frameworks build for tests or send telemetry. */
function surroundings(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' };
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, 'SIGKILL');
  await once(child, 'close');
}
