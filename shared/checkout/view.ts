import type { InstallmentOption, Order, PaymentMethod, SavedCard } from './session.ts';
import type { Advice, Result, SessionStatus } from './status.ts';
import type { OrderParts, Summary } from './summary.ts';

export type Theme = 'light' | 'dark' | 'auto';

/** What anybody who holds the session's address may see: no personal values. */
export type PublicView = {
  session_id: string;
  status: SessionStatus;
  currency: string;
  /** A decimal string with the decimals of the currency, at least two. */
  amount: string;
  revision: number;
  merchant_name: string;
  methods: PaymentMethod[];
  installment_options: InstallmentOption[];
  subscription?: Order['subscription'];
  /** The shopper may have a card that they type kept for the next time: what they agree to is sent as `token_flag`. */
  offers_saving?: true;
  collect: string[];
  /** Attempts that the shopper may still make. */
  attempts_left: number;
  /** The last attempt came back unpaid: the shopper left the issuer's page, or it was declined. */
  notice?: 'not_paid' | 'declined';
  advice?: Advice;
  /** How the last attempt was to be paid, where the session is open again: `card`, or an alternative method's name. */
  last_method?: string;
  /**
   * While the session is open again: the last attempt by an alternative method, whose outcome the gateway has not told. It
   * may still be charged, and the gateway is asked when this is asked for.
   */
  watched?: { payment_method: string };
  /**
   * What is awaited at the issuer's page while the status is `redirected`. `returned`: the shopper is back from there, and the
   * gateway is asked whether they paid. `continue_url`: the way there again, for the holder of the client secret.
   */
  redirected?: { payment_method: string; can_abandon: boolean; returned: boolean; continue_url?: string };
  /** What is awaited while the status is `pending`, and whether the shopper may choose another way. */
  pending?: { payment_method: string; can_abandon: boolean };
  /** The order was paid through another session of it. */
  reason?: 'order_already_paid';
  /** Whether the shop gave an address to go back to; the way there is `/return/<session_id>`. */
  returns: boolean;
};

/** `GET /checkout/api/session`: what the form shows to the holder of the client secret. */
export type CheckoutView = PublicView & {
  order_no: string;
  locale?: string;
  /**
   * What is known of the form's fields beside the card's, by dotted path: what the shopper sent in an attempt before, else what
   * the order says. `installments` is the chosen plan's place in `installment_options`.
   */
  prefill: Record<string, string>;
  saved_cards: SavedCard[];
  transaction_id?: string;
  /** When it was paid, in RFC 3339. */
  paid_at?: string;
  card?: string;
  result?: Result;
};

/** Texts that stand in for others while there is nothing to pay, by those others' keys: with a card that is typed, and a saved one. */
export type FreeTexts = Record<'typed' | 'saved', Readonly<Record<string, string>>>;

/** What the page tells the form's script, beside what is already rendered. */
export type Boot = {
  view: PublicView;
  /** The shopper's locale, for numbers and dates: the first that was asked for. */
  locale: string;
  /** The language that was found for it, and its direction. */
  lang: string;
  dir: 'ltr' | 'rtl';
  /** The amount as the shopper reads it: browsers take long to start up their number formats. */
  amount: string;
  /** The texts in that language, as far as this session's form may show them. */
  messages: Record<string, string>;
  /** Texts that stand in for these while the amount is nothing; left out where it is something and will hardly be nothing. */
  free?: FreeTexts;
  /** The `Accept` header with which the browser asked for this page, if it sent one. */
  accept?: string;
  /** Origins that may hold the frame; the form talks to no other. */
  allowed_origins: string[];
  /** What a page of its own has around the form; a frame has none. */
  hosted?: { summary: Summary; logo?: string | undefined };
};

/** Scripts of the form that a plain card form loads later or not at all. */
export type FormPart = 'flow' | 'parts' | 'details' | 'hosted' | DetailFeature;

/** Further scripts, for details that only some forms ask for. */
export type DetailFeature = 'addresses' | 'banks' | 'dates' | 'documents' | 'files' | 'phones';

/** One page, rendered; `body` and `boot` are safe to put into the document as they are. */
export type RenderedPage = {
  lang: string;
  dir: 'ltr' | 'rtl';
  title: string;
  body: string;
  /** Styles that this page needs beside the form's own style sheet. */
  style?: string;
  /** Scripts that this page needs at once beside the form's entry. */
  preload?: FormPart[];
};

/** What a page that only tells a state can tell. */
export type Notice = SessionStatus | 'confirming' | 'order_already_paid' | 'issuer_unreachable' | 'not_found';

/** The module that the widget's build emits for the relay. */
export type RenderModule = {
  /** Renders the form: with what is around it on a page of its own, or, without `hosted`, alone. `locales` are wishes, best first. */
  renderCheckout(input: {
    view: PublicView;
    locales: readonly string[];
    allowed_origins: readonly string[];
    hosted?: { order: OrderParts; logo?: string | undefined };
  }): RenderedPage & { boot: Boot };
  /**
   * Renders a page that tells one thing, and links to where it goes on. `view` is that of the session, for what was approved;
   * `logo` is an address.
   */
  renderNotice(input: {
    notice: Notice;
    view?: Pick<PublicView, 'currency' | 'amount' | 'subscription'>;
    shop?: { name: string; logo?: string | undefined };
    locales: readonly string[];
    link: { to: 'on' | 'check' | 'retry'; href: string } | { to: 'shop'; href: string; name: string };
  }): RenderedPage;
};
