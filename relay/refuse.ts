import { notifySystemd } from './operating/systemd.ts';
import { exitCodes, refusalLine, refusalOf, refusalStatus, refusalText } from './refusal.ts';

/**
 * Writes why the process does not start to standard error and to systemd, and ends the process.
 * @param level `error` if a relay is running and keeps its settings: systemd then keeps its status
 */
export async function refuse(error: unknown, level: 'fatal' | 'error' = 'fatal'): Promise<never> {
  const refusal = refusalOf(error);
  // `npm start` and a terminal show this line to a person.
  const isRead = process.send !== undefined || process.stderr.isTTY;
  console.error(isRead ? refusalText(refusal) : refusalLine(refusal, level, process.env));
  if (level === 'fatal') await notifySystemd(process.env, { status: refusalStatus(refusal) });
  process.exit(exitCodes[refusal.class]);
}
