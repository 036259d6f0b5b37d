import { isObject } from '../../../shared/checkout/is-object.ts';
import { type OperationName, operations } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { FaultName } from '../faults/faults.ts';
import { maskMessage } from './mask.ts';

/**
 * The result of a message. `gone`: the sender disconnected before the answer. Because of a fault, only half of a `cut`
 * answer was sent, and the connection of a `reset` one was reset; both have the intended answer.
 */
export type LoggedAnswer =
  | { state: 'waiting' }
  | { state: 'sent' | 'cut' | 'reset'; status: number; summary: string; body: string }
  | { state: 'gone' };

/** One message to the gateway and its answer, ready to be shown: masked, and cut if it is long. */
export type LoggedMessage = {
  readonly id: number;
  readonly at: Date;
  readonly operation: string;
  readonly order_no: string;
  readonly request: string;
  readonly faults: readonly FaultName[];
  readonly answer: LoggedAnswer;
};

const KEPT = 500;
export const MAX_NAME_LENGTH = 255;
const MAX_BODY_LENGTH = 20_000;

/** The last entries of a log, each with its number. Entries must be masked before they are added. */
export class Log<Entry> {
  readonly #kept = new Map<number, Entry & { readonly id: number }>();
  #count = 0;

  /** Adds an entry. The returned function changes it while it is kept. */
  keep(entry: Entry): (change: (before: Entry) => Partial<Entry>) => void {
    this.#count += 1;
    const id = this.#count;
    this.#kept.set(id, { ...entry, id });
    this.#kept.delete(id - KEPT);
    return (change) => {
      const before = this.#kept.get(id);
      if (before) this.#kept.set(id, { ...before, ...change(before) });
    };
  }

  /** The entries, newest first. */
  list(): readonly (Entry & { readonly id: number })[] {
    return [...this.#kept.values()].toReversed();
  }
}

/** The last messages that the gateway received and answered. */
export class MessageLog extends Log<Omit<LoggedMessage, 'id'>> {
  /** Adds a message. The returned function records its result. */
  add(arrived: Omit<LoggedMessage, 'id' | 'answer'>): (answer: LoggedAnswer) => void {
    const order_no = cut(arrived.order_no, MAX_NAME_LENGTH);
    const change = this.keep({ ...arrived, order_no, request: cut(arrived.request), answer: { state: 'waiting' } });
    return (answer) => change(() => ({ answer: cutAnswer(answer) }));
  }
}

function cutAnswer(answer: LoggedAnswer): LoggedAnswer {
  if (answer.state === 'waiting' || answer.state === 'gone') return answer;
  return { ...answer, summary: cut(answer.summary, MAX_NAME_LENGTH), body: cut(answer.body) };
}

/** A text, cut if it is long. */
export function cut(text: string, longest = MAX_BODY_LENGTH): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** The entry of a received message, masked. */
type Description = { operation: string; order_no: string; request: string };

/** Describes a message without its secrets. */
export function describe(name: OperationName, message: Message): Description {
  const known = Object.keys(operations[name].request.shape);
  const masked = maskMessage(message, known);
  const fields = Object.fromEntries(Object.entries(masked).filter(([field]) => known.includes(field)));
  return { operation: name, order_no: namesIn(fields), request: JSON.stringify(masked, undefined, 2) };
}

/** The entry of an unreadable message. */
export function unread(path: string): Description {
  return { operation: path, order_no: '', request: '(could not be read)' };
}

const LISTS = ['orders', 'trades', 'refund_orders', 'refund_references', 'merchant_refunds'];
const NAMES = ['order_no', 'transaction_id', 'recurring_id', 'request_id'];

/** The subject of a message: its order, the orders of its batch or list, or another id. */
function namesIn(message: Message): string {
  const parts = [message, ...Object.values(message).flatMap((value) => (Array.isArray(value) ? value : []))];
  const named = parts.filter(isObject).map((part) => NAMES.map((name) => part[name]).find(isName));
  const listed = LISTS.map((name) => message[name]);
  return [...new Set([...named, ...listed].filter(isName))].join(', ');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
