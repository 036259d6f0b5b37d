import type { PaymentMethod } from '../../shared/checkout/session.ts';
import type { CheckoutView, PublicView } from '../../shared/checkout/view.ts';
import type { MessageKey, Translate, Values } from '../locales/messages.ts';

/** The public view, with the view for the holder of the secret once it is loaded. */
export type View = PublicView & Partial<CheckoutView>;

/** The shopper's action about an awaited payment: they paid and returned, or abandon it. */
export type ShopperAction = 'returned' | 'abandon';

/** A saved card as the shopper reads it. */
export type NamedCard = { token_id: string; card: string };

/** One of our texts, with what fills its placeholders. */
export type Message = { key: MessageKey; values?: Values };

/** What the shopper sees. */
export type Stage =
  | { name: 'form' }
  | { name: 'paying' }
  | { name: 'leaving'; url: string }
  /** The shopper was sent to the issuer's page: they may go on there, or say whether they have paid. */
  | { name: 'away' }
  /** The outcome is not known yet. */
  | { name: 'confirming' }
  /** A payment is under way that takes long, such as a voucher: the shopper may be free to choose another way. */
  | { name: 'pending' }
  | { name: 'approved' }
  | { name: 'failed' }
  | { name: 'expired' }
  /** The secret in the address is missing or wrong. */
  | { name: 'broken' }
  /** A part of the form did not load, and without it nothing can be paid. */
  | { name: 'incomplete' };

/** A stage in which something else replaces the form. */
export type OutcomeStage = Exclude<Stage, { name: 'form' | 'paying' }>;

/** The form as data. Field values go by the names of the request's fields; `expiry` and `name` are ours. */
export type State = {
  view: View;
  stage: Stage;
  /** The key of the chosen method, see `methodKey`. */
  method: string;
  /** The saved card to pay with; empty for a card that is typed. */
  token: string;
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, Message>>;
  /** The field whose error came or changed last, by itself; empty if several were marked at once. */
  wrong?: string;
  /** The message: why the last attempt did not succeed, and what to do. */
  message: Message | undefined;
  /** The shopper's action about the awaited payment, until the relay answers. */
  action?: ShopperAction | undefined;
};

/** The stage of a session's status. */
export function stageOf({ status, redirected }: View): Stage {
  switch (status) {
    case 'open':
      return { name: 'form' };
    case 'redirected':
      return { name: redirected?.returned === false ? 'away' : 'confirming' };
    case 'processing':
    case 'unknown':
      return { name: 'confirming' };
    default:
      return { name: status };
  }
}

/** The session's own message about the last try. */
export function noticeOf(view: View): Message | undefined {
  if (view.status !== 'open' || !view.notice) return undefined;
  const unheard = view.notice === 'not_paid' && view.watched;
  if (unheard) return { key: 'not_paid_with', values: { method: labelOf(view, unheard.payment_method) } };
  return { key: view.advice ? `declined_${view.advice}` : view.notice };
}

/**
 * Whether the shopper has something to choose or to type before the next press: such a message stands above the fields of the
 * chosen method, where the focus goes. Any other stands at the button.
 */
export function needsChange({ key }: Message): boolean {
  return !/changed|sent|too_|off|long|comp/.test(key);
}

/** What the shopper calls an alternative method. */
export function labelOf({ methods }: Pick<View, 'methods'>, name: string): string {
  const found = methods.find((method) => methodKey(method) === `apm ${name}`);
  return found?.type === 'apm' ? found.label : name;
}

/** The method to begin with after an attempt: that one's again, but another while it may still turn out to be paid. */
export function methodAfter({ methods, notice, watched, last_method }: View): PaymentMethod | undefined {
  const unheard = notice === 'not_paid' && watched;
  const other = unheard && methods.find((method) => methodKey(method) !== `apm ${unheard.payment_method}`);
  return other || methods.find((method) => [last_method, `apm ${last_method}`].includes(methodKey(method)));
}

/** Tells a session's methods apart. */
export function methodKey(method: PaymentMethod): string {
  return method.type === 'card' ? 'card' : `apm ${method.payment_method}`;
}

export function methodLabel(method: PaymentMethod, t: Translate): string {
  return method.type === 'card' ? t('card') : method.label;
}

export function chosenMethod(state: State): PaymentMethod | undefined {
  return state.view.methods.find((method) => methodKey(method) === state.method);
}

/** The state of a form before the first input. */
export function initialState(view: View): State {
  const first = methodAfter(view) ?? view.methods[0];
  return {
    view,
    stage: stageOf(view),
    method: first ? methodKey(first) : 'card',
    token: '',
    values: {},
    errors: {},
    message: noticeOf(view),
  };
}

/** More methods than these stand in a chooser of their own. */
export const MANY_METHODS = 6;

/** Whether this view shows anything that is in the parts: every form does but a card's and plain methods'. */
export function needsParts(view: View): boolean {
  const { status, offers_saving, saved_cards } = view;
  return status === 'open' && Boolean(hasPlans(view) || offers_saving || saved_cards?.length || needsFieldTexts(view));
}

/** Whether this view asks how to pay over time: by installments, or by a contract. */
export function hasPlans({ subscription, installment_options }: View): boolean {
  return Boolean(subscription || installment_options.length);
}

/** Whether this view may say what only forms say that ask for more, or offer many methods. */
export function needsFieldTexts(view: View): boolean {
  return view.methods.length > MANY_METHODS || needsDetails(view);
}

/** Whether this view asks for anything beside the card that is typed or chosen from a list. */
export function needsDetails({ methods, collect }: View): boolean {
  return Boolean(
    collect.length ||
      methods.some((method) => method.type === 'apm' && (method.banks?.length || method.fields?.length)),
  );
}

/** Whether this view shows what the flow brings: anything but the form, a message in it, and further amounts. */
export function needsFlow(view: View): boolean {
  return view.status !== 'open' || view.notice !== undefined || needsParts(view);
}
