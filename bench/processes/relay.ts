import { z } from 'zod';
import { clientSecret } from '../../relay/base/keys.ts';
import { newSession } from '../../relay/checkout/server/session.ts';
import { createSession } from '../../shared/checkout/session.ts';
import { sessionBody } from '../harness/payment.ts';
import { answerQuestions, cpuUsage, sayListening } from './ipc.ts';
import { startFromSettings } from './start-relay.ts';

/** The relay as `relay/main.ts` starts it. Over IPC it also creates sessions and reports its CPU. */
const relay = await startFromSettings();

const questions = z.union([z.enum(['cpu', 'stop']), z.object({ sessions: z.int() })]);

answerQuestions(async (message) => {
  const question = questions.parse(message);
  if (typeof question === 'object') return makeSessions(question.sessions);
  if (question === 'cpu') return cpuUsage();
  await relay.stop();
  setImmediate(() => process.exit(0));
  return 'stopped';
});
sayListening(Number(new URL(relay.url).port));

let orders = 0;

/** Creates open sessions and gives their client secrets. */
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
    await Promise.all(made.map((session) => context.store.sessions.create(session)));
    secrets.push(...made.map(({ id }) => clientSecret(account, id)));
  }
  return secrets;
}
