import type { PaymentMethod } from '../../shared/checkout/session.ts';
import type { CheckoutView, PublicView } from '../../shared/checkout/view.ts';
import type { MessageKey, Translate, Values } from '../locales/messages.ts';

/** The public view, and the view for the holder of the secret once it is loaded. */
export type View = PublicView & Partial<CheckoutView>;

/** The shopper's action about an awaited payment: they report their return, or abandon it. */
export type ShopperAction = 'returned' | 'abandon';

/** A saved card as the shopper reads it. */
export type NamedCard = { token_id: string; card: string };

/** One of the form's texts, with the values of its placeholders. */
export type Message = { key: MessageKey; values?: Values };

/** The stage of the checkout. */
export type Stage =
  | { name: 'form' }
  | { name: 'paying' }
  | { name: 'leaving'; url: string }
  /** The shopper was sent to the issuer's page, and can continue there, or state whether they have paid. */
  | { name: 'away' }
  /** The outcome is not known yet. */
  | { name: 'confirming' }
  /** A payment is pending that takes long, such as a voucher. The shopper may be able to choose another way to pay. */
  | { name: 'pending' }
  | { name: 'approved' }
  | { name: 'failed' }
  | { name: 'expired' }
  /** The secret in the address is missing or wrong. */
  | { name: 'broken' }
  /** A part of the form did not load, and nothing can be paid without it. */
  | { name: 'incomplete' };

/** A stage whose view replaces the form. */
export type OutcomeStage = Exclude<Stage, { name: 'form' | 'paying' }>;

/** The form as data. Field values have the names of the request's fields; `expiry` and `name` are the form's own. */
export type State = {
  view: View;
  stage: Stage;
  /** The key of the chosen method, see `methodKey`. */
  method: string;
  /** The saved card to pay with; empty for a typed card. */
  token: string;
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, Message>>;
  /** The field whose error appeared or changed last; empty if several were marked at once. */
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

/** The session's own message about the last attempt. */
export function noticeOf(view: View): Message | undefined {
  if (view.status !== 'open' || !view.notice) return undefined;
  const unheard = view.notice === 'not_paid' && view.watched;
  if (unheard) return { key: 'not_paid_with', values: { method: labelOf(view, unheard.payment_method) } };
  return { key: view.advice ? `declined_${view.advice}` : view.notice };
}

/**
 * Whether the shopper must choose or type something before the next press. Such a message is above the fields of the
 * chosen method, where the focus is; any other is at the button.
 */
export function needsChange({ key }: Message): boolean {
  return !/changed|sent|too_|off|long|comp/.test(key);
}

/** The label of an alternative method. */
export function labelOf({ methods }: Pick<View, 'methods'>, name: string): string {
  const found = methods.find((method) => methodKey(method) === `apm ${name}`);
  return found?.type === 'apm' ? found.label : name;
}

/**
 * The method to begin with after an attempt: the same one, or another one while the attempt may still turn out to be
 * paid.
 */
export function methodAfter({ methods, notice, watched, last_method }: View): PaymentMethod | undefined {
  const unheard = notice === 'not_paid' && watched;
  const other = unheard && methods.find((method) => methodKey(method) !== `apm ${unheard.payment_method}`);
  return other || methods.find((method) => [last_method, `apm ${last_method}`].includes(methodKey(method)));
}

/** Identifies a method of a session. */
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

/** Whether the shopper chooses a method, or the only one is named. A card alone is its fields. */
export function hasChoice({ methods }: View): boolean {
  return methods.length !== 1 || methods[0]?.type !== 'card';
}

/** The maximum number of methods without a chooser. */
export const MANY_METHODS = 6;

/** Whether this view shows something from the parts: every form does except one with a card and plain methods. */
export function needsParts(view: View): boolean {
  const { status, offers_saving, saved_cards } = view;
  return status === 'open' && Boolean(hasPlans(view) || offers_saving || saved_cards?.length || needsFieldTexts(view));
}

/** Whether this view asks how to pay over time: by installments, or by a contract. */
export function hasPlans({ subscription, installment_options }: View): boolean {
  return Boolean(subscription || installment_options.length);
}

/** Whether this view may show texts of forms with further fields, or many methods. */
export function needsFieldTexts(view: View): boolean {
  return view.methods.length > MANY_METHODS || needsDetails(view);
}

/** Whether this view has fields besides the card's. */
export function needsDetails({ methods, collect }: View): boolean {
  return Boolean(
    collect.length ||
      methods.some((method) => method.type === 'apm' && (method.banks?.length || method.fields?.length)),
  );
}

/** Whether this view shows another stage than the form, a message in it, or the parts: these need the flow and its views. */
export function needsViews(view: View): boolean {
  return view.status !== 'open' || view.notice !== undefined || needsParts(view);
}
