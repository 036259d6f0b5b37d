import type { SessionStatus } from './status.ts';

/** Marks messages between the frame and its host page. */
export const CHANNEL = 'turnpike';

/** A message without the mark. */
export type Unmarked<Message> = Message extends unknown ? Omit<Message, 'channel'> : never;

/** Values of CSS variables, by name, each starting with `--turnpike-`. */
export type Variables = Record<string, string>;

/** The result of a payment, as the shop's page receives it. `open` never occurs: a decline is `declined`. */
export type ResultDetail = {
  status: Exclude<SessionStatus, 'open' | 'processing' | 'redirected'> | 'declined' | 'redirect' | 'not_paid';
  order_no?: string;
  transaction_id?: string;
};

export type ChangeDetail = { complete: boolean; brand?: string; payment_method: string };
export type ErrorDetail = { code: string; message: string };
/** A field by its name in the request; the card's are `card`, `expiry`, `security_code` and `name`. */
export type FieldDetail = { field: string };

/** The parts of the form that a page may hide because it shows them itself. */
export const HIDEABLE = ['button', 'heading', 'amount'] as const;
export type Hideable = (typeof HIDEABLE)[number];

/**
 * A message from the host page to the frame. `connect` is repeated until `ready` arrives, and sent again when the page
 * changes the form's appearance or language, which the frame follows in place. `theme` has the tokens of the attribute,
 * and `no-` with the name of each hidden part. Absent values stay as in the frame's address.
 */
export type HostMessage =
  | {
      channel: typeof CHANNEL;
      type: 'connect';
      variables?: Variables;
      theme?: string;
      locale?: string | null;
    }
  | { channel: typeof CHANNEL; type: 'update' }
  | { channel: typeof CHANNEL; type: 'submit' };

/**
 * A message from the frame to the host page. `painted` is sent by the document before its script runs, and has only a
 * height. `ready` is sent again when the form changes its language, with the title in the new one.
 */
export type FrameMessage =
  | { channel: typeof CHANNEL; type: 'painted'; height: number }
  | { channel: typeof CHANNEL; type: 'ready'; height: number; title: string }
  | { channel: typeof CHANNEL; type: 'resize'; height: number }
  | { channel: typeof CHANNEL; type: 'change'; detail: ChangeDetail }
  | { channel: typeof CHANNEL; type: 'focus' | 'blur'; detail: FieldDetail }
  | { channel: typeof CHANNEL; type: 'submit' | 'escape' }
  | { channel: typeof CHANNEL; type: 'result'; detail: ResultDetail }
  | { channel: typeof CHANNEL; type: 'error'; detail: ErrorDetail }
  | { channel: typeof CHANNEL; type: 'navigate'; url: string };

/** The question to the hidden frame of `Turnpike.doctor()` after its message that it is ready, and its answer. */
export const PROBE = 'probe';
export const PROBE_READY = 'probe_ready';
export const PROBED = 'probed';

/** The findings of that frame about a session. `refused` are the parent origins that may not embed the form. */
export type Probed =
  | { session: 'unknown' | 'wrong_secret' | 'unreachable'; submits: boolean }
  | { session: 'known'; status: string; refused: string[]; submits: boolean };
