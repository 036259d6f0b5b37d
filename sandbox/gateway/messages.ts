import type { FaultName } from './faults.ts';
import { maskText } from './mask.ts';

/**
 * What became of a message: `gone` is a sender that hung up before it was answered. On purpose `cut` answers went out in
 * half, and instead of `reset` ones the connection was; both tell what the answer would have been.
 */
export type LoggedAnswer =
  | { state: 'waiting' }
  | { state: 'sent' | 'cut' | 'reset'; status: number; summary: string; body: string }
  | { state: 'gone' };

/** One message to the gateway and its answer, ready to be shown: masked, and cut where it is long. */
export type LoggedMessage = {
  readonly id: number;
  readonly at: Date;
  readonly operation: string;
  readonly order_no: string;
  readonly request: string;
  readonly faults: readonly FaultName[];
  readonly answer: LoggedAnswer;
};

type Arrived = Omit<LoggedMessage, 'id' | 'answer'>;

export const KEPT = 500;
export const LONGEST_NAME = 255;
const LONGEST_BODY = 20_000;

/** The last messages that the gateway received and answered. */
export class MessageLog {
  readonly #messages: LoggedMessage[] = [];
  #received = 0;

  /** Keeps a message; gives the function that tells what became of it. */
  add(arrived: Arrived): (answer: LoggedAnswer) => void {
    this.#received += 1;
    const message: LoggedMessage = {
      ...arrived,
      id: this.#received,
      order_no: shown(arrived.order_no, LONGEST_NAME),
      request: shown(arrived.request),
      answer: { state: 'waiting' },
    };
    this.#messages.push(message);
    if (this.#messages.length > KEPT) this.#messages.shift();
    return (answer) => {
      const at = this.#messages.findIndex(({ id }) => id === message.id);
      if (at >= 0) this.#messages[at] = { ...message, answer: masked(answer) };
    };
  }

  /** The messages, newest first. */
  list(): readonly LoggedMessage[] {
    return this.#messages.toReversed();
  }
}

function masked(answer: LoggedAnswer): LoggedAnswer {
  if (answer.state === 'waiting' || answer.state === 'gone') return answer;
  return { ...answer, summary: shown(answer.summary, LONGEST_NAME), body: shown(answer.body) };
}

/** A text as it may be kept and shown: masked, and cut where it is long. */
export function shown(text: string, longest = LONGEST_BODY): string {
  const safe = maskText(text);
  return safe.length <= longest ? safe : `${safe.slice(0, longest)}…`;
}
