import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The sources of the relay and the browser parts. */
const FOLDERS = ['relay', 'shared', 'widget', 'console'];

/** An editor writes a file in several steps, and a Git checkout writes many files at once. */
const SETTLE_MS = 100;

const root = join(import.meta.dirname, '..');
const listening = z.object({ type: z.literal('listening'), url: z.string() });

/**
 * Runs in place of the relay during development: runs the relay as a child process. When a source changes, it builds
 * the stale browser parts and restarts the relay on the same port. If a build fails, the relay keeps running.
 */
function main(): void {
  let relay = start();
  let changed: NodeJS.Timeout | undefined;
  let restarting: Promise<void> = Promise.resolve();
  let isStopping = false;

  const restart = async (): Promise<void> => {
    const began = performance.now();
    if (isStopping || !(await isBuilt())) return;
    await stop(relay);
    if (isStopping) return;
    relay = start();
    relay.once('message', () => {
      process.stderr.write(`Restarted in ${((performance.now() - began) / 1000).toFixed(1)} s: reload the page.\n`);
    });
  };
  for (const folder of FOLDERS) {
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name === null || !isSource(name)) return;
      clearTimeout(changed);
      changed = setTimeout(() => {
        restarting = restarting.then(restart);
      }, SETTLE_MS);
    });
  }
  const end = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await stop(relay);
    process.exit();
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, end);
}

function isSource(name: string): boolean {
  return /\.(tsx?|css)$/.test(name) && !/\.test\.tsx?$/.test(name);
}

function start(): ChildProcess {
  const relay = fork(join(root, 'relay/main.ts'), { stdio: 'inherit' });
  relay.on('message', (message) => {
    const parsed = listening.safeParse(message);
    if (!parsed.success) return;
    // Open pages use this address.
    process.env.PORT_RELAY = new URL(parsed.data.url).port;
    process.send?.(message);
  });
  return relay;
}

async function stop(relay: ChildProcess): Promise<void> {
  if (relay.exitCode !== null || relay.signalCode !== null) return;
  const ended = once(relay, 'close');
  relay.kill('SIGTERM');
  await ended;
}

async function isBuilt(): Promise<boolean> {
  // Developers need errors, not sizes.
  const args = [join(root, 'build/if-stale.ts'), '--trial'];
  const build = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(build, 'close');
  return code === 0;
}

main();
