import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import type { Plan } from './killable-relay.ts';

const started = z.object({ url: z.string() });

/** A relay that kills itself as planned, or that a test kills. */
export async function startKillableRelay(plan: Plan) {
  const child = fork(join(import.meta.dirname, 'killable-relay.ts'), {
    env: { ...process.env, KILLABLE_RELAY: JSON.stringify(plan) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // A message to a relay that has just died is nobody's fault.
  child.on('error', () => undefined);
  const exited = once(child, 'exit').then(() => undefined);
  const first = await Promise.race([once(child, 'message'), exited]);
  if (!first) throw new Error('the relay did not start');
  return {
    url: started.parse(first[0]).url,
    /** From now on its writes are counted. */
    count: () => void child.send('count'),
    kill: () => void child.kill('SIGKILL'),
    isDead: () => child.exitCode !== null || child.signalCode !== null,
    exited,
  };
}
