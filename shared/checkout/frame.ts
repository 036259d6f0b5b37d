import type { SessionStatus } from './status.ts';

/** Marks a message between the frame and its host page as ours. */
export const CHANNEL = 'turnpike';

/** A message before it is marked as ours. */
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
 * From the host page to the frame. `connect` is repeated until `ready` comes back, and sent again when the page changes the
 * form's looks or language, which the frame follows in place. `theme` holds the tokens of the attribute, and of each part that is
 * left out `no-` and its name; what is not there stays as the frame's address says.
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
 * From the frame to the host page. `painted` comes from the document itself, before its script is there: it holds only a height.
 * `ready` comes again when the form goes on in another language, with the title in that one.
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

/** What the hidden frame of `Turnpike.doctor()` is asked, once it has said that it is ready, and how it answers. */
export const PROBE = 'probe';
export const PROBE_READY = 'probe_ready';
export const PROBED = 'probed';

/** The findings of that frame about a session; `refused` are the parent origins that may not embed the form. */
export type Probed =
  | { session: 'unknown' | 'wrong_secret' | 'unreachable'; submits: boolean }
  | { session: 'known'; status: string; refused: string[]; submits: boolean };
