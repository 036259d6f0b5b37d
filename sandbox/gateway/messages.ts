import { maskText } from './mask.ts';

/** What became of a message: `gone` is a sender that hung up before it was answered. */
export type LoggedAnswer =
  | { state: 'waiting' }
  | { state: 'sent'; status: number; summary: string; body: string }
  | { state: 'gone' };

/** One message to the gateway and its answer, ready to be shown: masked, and cut where it is long. */
export type LoggedMessage = {
  readonly id: number;
  readonly at: Date;
  readonly operation: string;
  readonly order_no: string;
  readonly request: string;
  readonly answer: LoggedAnswer;
};

type Arrived = Omit<LoggedMessage, 'id' | 'answer'>;

const KEPT = 500;
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
      order_no: shown(arrived.order_no, 255),
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
  if (answer.state !== 'sent') return answer;
  return { ...answer, summary: shown(answer.summary, 255), body: shown(answer.body) };
}

function shown(text: string, longest = LONGEST_BODY): string {
  const safe = maskText(text);
  return safe.length <= longest ? safe : `${safe.slice(0, longest)}…`;
}
