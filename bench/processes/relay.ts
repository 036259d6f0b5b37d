import { monitorEventLoopDelay } from 'node:perf_hooks';
import { z } from 'zod';
import { clientSecret } from '../../relay/base/keys.ts';
import { newSession } from '../../relay/checkout/server/create.ts';
import { createSession } from '../../shared/checkout/session.ts';
import { sessionBody } from '../harness/payment.ts';
import { answerQuestions, sayListening, usage } from './answer.ts';
import { startFromSettings } from './start-relay.ts';

/** The relay as `relay/main.ts` starts it, which also makes sessions and tells its use of CPU when it is asked over IPC. */
const relay = await startFromSettings();

const questions = z.union([z.enum(['cpu', 'memory', 'loop', 'stop']), z.object({ sessions: z.int() })]);

answerQuestions(async (message) => {
  const question = questions.parse(message);
  if (typeof question === 'object') return makeSessions(question.sessions);
  if (question === 'loop') return loop();
  if (question !== 'stop') return usage(question);
  await relay.stop();
  setImmediate(() => process.exit(0));
  return 'stopped';
});
sayListening(Number(new URL(relay.url).port));

let told: (() => object) | undefined;

/**
 * Since it was asked last: how long anything waited for this thread at most; how much of the CPU it used at most between two
 * ticks of a millisecond, which a busy machine does not lengthen; and the most memory. Watching begins with the first question,
 * for it costs CPU.
 */
function loop(): object {
  told ??= watchLoop();
  return told();
}

function watchLoop(): () => object {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let peak = 0;
  let turn = 0;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    turn = Math.max(turn, (user + system) / 1000);
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 1).unref();
  return () => {
    const since = { longest_ms: delays.max / 1e6, turn_ms: turn, peak };
    delays.reset();
    [peak, turn] = [0, 0];
    return since;
  };
}

let orders = 0;

/** Makes open sessions and gives their client secrets. */
async function makeSessions(count: number): Promise<string[]> {
  const { context } = relay;
  const [account] = context.config.accounts;
  if (!account) throw new TypeError('no account');
  const secrets: string[] = [];
  while (secrets.length < count) {
    const made = Array.from({ length: Math.min(500, count - secrets.length) }, () => {
      orders += 1;
      const body = createSession.parse(sessionBody(`B-${process.pid}-${Date.now()}-${orders}`));
      return newSession(context, account, body);
    });
    await Promise.all(made.map((session) => context.store.createSession(session)));
    secrets.push(...made.map(({ id }) => clientSecret(account, id)));
  }
  return secrets;
}
