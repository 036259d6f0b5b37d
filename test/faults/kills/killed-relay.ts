import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { z } from 'zod';
import type { Place, Plan } from './killable-relay.ts';

const started = z.object({ url: z.string() });

const root = join(import.meta.dirname, '../../..');

let bundled: Promise<string> | undefined;

/** The killable relay as one file: it starts in half the time, and it is started many times. */
async function bundle(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'turnpike-'));
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    ssr: { noExternal: true },
    build: {
      outDir,
      copyPublicDir: false,
      ssr: join(import.meta.dirname, 'killable-relay.ts'),
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'relay.mjs' } },
    },
  });
  return join(outDir, 'relay.mjs');
}

/** A relay that kills itself where a test says, or that a test kills. */
export async function startKillableRelay(plan: Plan) {
  bundled ??= bundle();
  const child = fork(await bundled, {
    env: { ...process.env, KILLABLE_RELAY: JSON.stringify({ ...plan, dist: join(root, 'dist') }) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // A message to a relay that has just ended is not an error.
  child.on('error', () => undefined);
  const exited = once(child, 'exit').then(() => undefined);
  const { url } = started.parse(await nextMessage(child, exited));
  return {
    url,
    /** Makes it kill itself in its next write. */
    async dieIn(place: Place) {
      child.send(place);
      await nextMessage(child, exited);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    isDead: () => child.exitCode !== null || child.signalCode !== null,
    exited,
  };
}

async function nextMessage(child: ChildProcess, exited: Promise<undefined>): Promise<unknown> {
  const first = await Promise.race([once(child, 'message'), exited]);
  if (!first) throw new Error('the relay is dead');
  return first[0];
}
