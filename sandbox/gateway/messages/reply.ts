import type { Response } from 'express';
import type { After } from '../base/clock.ts';
import type { FaultName } from '../faults/faults.ts';
import type { LoggedAnswer } from './messages.ts';
import type { WrittenAnswer } from './written-answer.ts';

/** The result of a message. */
export type Verdict =
  | { kind: 'refused'; status: number; reason: string; faults: ReadonlySet<FaultName> }
  | { kind: 'accepted'; answer: WrittenAnswer; faults: ReadonlySet<FaultName> };

type Tell = (answer: LoggedAnswer) => void;

/** The delay of a late answer, in milliseconds, and its timer. */
type Lateness = { lateMs: number; after: After };

/** Answers according to the verdict, at once or late, completely, partly or never, and reports the result. */
export function reply(response: Response, verdict: Verdict, tell: Tell, { lateMs, after }: Lateness): void {
  if (verdict.kind === 'refused') {
    const { status, reason } = verdict;
    tell({ state: 'sent', status, summary: reason, body: reason });
    response.status(status).type('text/plain').send(reason);
    return;
  }
  const { answer, faults } = verdict;
  if (!faults.has('never') && !faults.has('late')) {
    deliver(response, answer, faults, tell);
    return;
  }
  let delivered = false;
  const callOff = faults.has('never')
    ? () => {}
    : after(lateMs, () => {
        delivered = true;
        deliver(response, answer, faults, tell);
      });
  response.once('close', () => {
    callOff();
    if (!delivered) tell({ state: 'gone' });
  });
}

function deliver(response: Response, answer: WrittenAnswer, faults: ReadonlySet<FaultName>, tell: Tell): void {
  const { status, type, body, shown, summary } = answer;
  const sent = { status, summary, body: shown };
  if (faults.has('reset')) {
    tell({ state: 'reset', ...sent });
    response.req.socket.resetAndDestroy();
  } else if (faults.has('truncated')) {
    tell({ state: 'cut', ...sent });
    cutOff(response.status(status).type(type), body);
  } else {
    tell({ state: 'sent', ...sent });
    response.status(status).type(type).send(body);
  }
}

/** Announces the whole answer, sends its first half and disconnects. */
function cutOff(response: Response, body: Buffer): void {
  response.set('Content-Length', String(body.length));
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}
