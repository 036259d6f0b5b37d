import { z } from 'zod';
import { termsOf } from '../gateway/direct-payment.ts';
import { amountText, boolean, optionalString, orderNoText, string } from '../gateway/text.ts';
import { result } from './pay.ts';
import { brandIds, collectGroups, planOf } from './session.ts';
import { advices, type SessionStatus, sessionStatuses } from './status.ts';

export type Theme = 'light' | 'dark' | 'auto';

/** One way to pay, as the form receives it. */
const offeredMethod = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('card').describe('`card`, or `apm` for an alternative payment method.'),
      brands: z
        .array(z.enum(brandIds))
        .optional()
        .describe('The brands whose logos are shown beside the card, in this order.'),
    }),
    z.object({
      type: z.literal('apm').describe('`card`, or `apm` for an alternative payment method.'),
      payment_method: string.describe('The gateway’s name of the method.'),
      label: string.describe('What the shopper sees.'),
      icon: optionalString.describe('A picture for it, as a `data:` URL of an image.'),
      banks: z
        .array(
          z.object({
            code: string.describe('The value of `bank_code`.'),
            name: string.describe('What the shopper sees.'),
          }),
        )
        .optional()
        .describe('Banks to choose from.'),
      fields: z
        .array(z.string())
        .optional()
        .describe(
          'Fields that the form asks for when this method is chosen; `person.email` is the field inside the object.',
        ),
    }),
  ])
  .meta({ name: 'OfferedMethod', description: 'One way to pay.' });

/** The terms of a contract as the shop sent them (§2.1). */
export const contractTerms = z.object(termsOf(z.string(), z.string(), z.int(), z.string()));

const continueUrl = optionalString.describe(
  'The way back to the issuer’s page, to continue the same payment. It needs no client secret. Valid for at least ten minutes; another one comes every five.',
);

/** The data for all clients with the session's address: no personal values. */
const publicView = z.object({
  session_id: string.describe('The session.'),
  status: z.enum(sessionStatuses).describe('The status of the session.'),
  currency: string.describe('ISO 4217 code of three capital letters.'),
  amount: string.describe(amountText),
  revision: z.int().describe('Send it with the payment: the relay refuses to pay an order that changed since.'),
  merchant_name: string.describe('The shop’s name.'),
  methods: z.array(offeredMethod).describe('The ways to pay.'),
  installment_options: z
    .array(z.object(planOf(z.string(), z.string(), z.string())))
    .describe('The installment plans that the form shows.'),
  subscription: contractTerms
    .optional()
    .describe(
      'The terms of a contract that this payment begins, if it is by card, typed or saved: no alternative method begins one. The form shows them before the shopper pays.',
    ),
  offers_saving: z
    .literal(true)
    .optional()
    .describe('The form asks whether a typed card may be saved. If the shopper agrees, it sends `token_flag` as `1`.'),
  collect: z
    .array(z.enum(Object.keys(collectGroups)))
    .describe('The fields that the form asks for besides the card. Values of the order are filled in.'),
  attempts_left: z.int().describe('The number of attempts that the shopper has left.'),
  notice: z.enum(['not_paid', 'declined']).optional().describe('The outcome of the previous attempt.'),
  advice: z.enum(advices).optional().describe('What the shopper can do about a decline.'),
  last_method: optionalString.describe(
    'The method of the last attempt, while another one is possible: `card`, or the alternative method’s name.',
  ),
  watched: z
    .object({ payment_method: string.describe('`card`, or the alternative method’s name.') })
    .optional()
    .describe(
      'While `status` is `open`: the last attempt by an alternative method that ended without an outcome of the gateway’s own. It can still be charged. The relay queries the gateway when this is requested. While it is `approved`: another attempt of the order that can still be charged.',
    ),
  paid_twice: z
    .object({ payment_method: string.describe('`card`, or the alternative method’s name.') })
    .optional()
    .describe('While `status` is `approved`: the order was paid twice, and this is the payment that counts.'),
  redirected: z
    .object({
      payment_method: string.describe('The alternative method’s name.'),
      can_abandon: boolean.describe('Whether the shopper may abandon it and choose another way to pay.'),
      returned: boolean.describe(
        'Whether the shopper returned from the issuer’s page. While it is true, the relay queries the gateway about the payment, up to `resolve.return_ms`.',
      ),
      continue_url: continueUrl,
    })
    .optional()
    .describe('The payment at the issuer’s page while `status` is `redirected`.'),
  pending: z
    .object({
      payment_method: string.describe('The method: `card`, or the alternative method’s name.'),
      can_abandon: boolean.describe('Whether the shopper may abandon it and choose another way to pay.'),
      continue_url: continueUrl,
    })
    .optional()
    .describe('The pending payment while `status` is `pending`.'),
  reason: z
    .literal('order_already_paid')
    .optional()
    .describe('`order_already_paid`: the order was paid through another session.'),
  returns: boolean.describe('Whether the session has a `return_url`.'),
});
export type PublicView = z.infer<typeof publicView>;

/** A saved card, as the form and the shop receive it. */
export const offeredCard = z.object({
  token_id: string.describe('The gateway’s token of a card.'),
  brand: string.describe('The card’s brand.'),
  last4: string.describe('The card’s last four digits.'),
  expiration_month: string.describe('Month in which the card expires, `01` to `12`.'),
  expiration_year: string.describe('Year in which the card expires, of four digits or two.'),
});

/** `GET /checkout/api/session`: what the form shows to the holder of the client secret. */
export const checkoutView = publicView
  .extend({
    order_no: string.describe(orderNoText),
    locale: optionalString.describe('The language that the shop requested.'),
    prefill: z
      .record(z.string(), z.string())
      .describe(
        'What is known of the fields that the form shows beside the card’s, by dotted path: what the shopper sent in an attempt before, else what the order says. `installments` is the place of the chosen plan in `installment_options`, from 0.',
      ),
    saved_cards: z
      .array(offeredCard)
      .describe('Cards that the shopper used before. Only a token that is listed here can be paid with.'),
    transaction_id: optionalString.describe('The gateway’s id of the payment.'),
    paid_at: optionalString.describe('When the payment became known to the relay.'),
    card: optionalString.describe('The card that paid, masked.'),
    result: result.optional().describe('The gateway’s result, without card data.'),
  })
  .meta({ name: 'CheckoutView', description: 'The data that the form shows.' });
export type CheckoutView = z.infer<typeof checkoutView>;

/** The further amounts of an order, in the order in which they are added up. */
export const sumNames = [
  'item_total',
  'discount',
  'shipping',
  'shipping_discount',
  'handling',
  'insurance',
  'tax_total',
] as const;
type SumName = (typeof sumNames)[number];

/** The contents of an order. Amounts are decimal strings. */
export type OrderParts = {
  /** `price` is the price of one piece. */
  items: { name: string; quantity: number; price: string; total: string }[];
  /** The number of items that are not shown. */
  further: number;
  sums: { name: SumName; amount: string }[];
};

/** The contents of an order as the shopper reads them. */
export type SummaryTexts = {
  /** `detail` has the number of pieces and the price of one, if there are several. */
  items: { name: string; detail?: string; total: string }[];
  further?: string;
  sums: { label: string; amount: string }[];
};

/** Texts that replace others while the amount is zero, by the keys of those: for a typed card and for a saved one. */
export type FreeTexts = Record<'typed' | 'saved', Readonly<Record<string, string>>>;

/** The data of the page for the form's script, besides the rendered content. */
export type Boot = {
  view: PublicView;
  /** The shopper's locale, for numbers and dates: the first requested one. */
  locale: string;
  /** The language of the form, which is the best match for the requested ones, and its direction. */
  lang: string;
  dir: 'ltr' | 'rtl';
  /** The amount as text, because browsers take long to create their number formats. */
  amount: string;
  /** The texts in that language that this session's form may show. */
  messages: Record<string, string>;
  /** The texts for an amount of zero; left out if the amount is not zero and unlikely to become zero. */
  free?: FreeTexts;
  /** The `Accept` header with which the browser requested this page, if there was one. */
  accept?: string;
  /** Origins that may contain the frame. The form communicates with no other. */
  allowed_origins: string[];
  /** The parts around the form on the hosted page; absent in a frame. */
  hosted?: { summary: SummaryTexts; logo?: string | undefined };
};

/** Scripts of the form that a plain card form loads later or not at all. */
export type FormPart = 'wording' | 'flow' | 'views' | 'parts' | 'details' | 'hosted' | DetailFeature;

/** Further scripts, for fields that only some forms have. */
export type DetailFeature = 'addresses' | 'banks' | 'dates' | 'documents' | 'files' | 'phones';

/** One rendered page. `body` and `boot` can be inserted into the document unchanged. */
export type RenderedPage = {
  lang: string;
  dir: 'ltr' | 'rtl';
  title: string;
  body: string;
  /** Styles that this page needs besides the form's own style sheet. */
  style?: string;
  /** Scripts that this page needs at once besides the form's entry. */
  preload?: FormPart[];
};

/** The messages of a page without a form. */
export type Notice =
  | SessionStatus
  | 'confirming'
  | 'order_already_paid'
  | 'issuer_unreachable'
  | 'link_expired'
  | 'not_found';

/** The module that the widget's build creates for the relay. */
export type RenderModule = {
  /**
   * Renders the form, with `hosted` inside the parts of the hosted page. `locales` are the requested ones, best first.
   */
  renderCheckout(input: {
    view: PublicView;
    locales: readonly string[];
    allowed_origins: readonly string[];
    hosted?: { order: OrderParts; logo?: string | undefined };
  }): RenderedPage & { boot: Boot };
  /**
   * Renders a page with a single message and a link. `view` is the view of an approved session; `logo` is an address.
   */
  renderNotice(input: {
    notice: Notice;
    view?: Pick<PublicView, 'currency' | 'amount' | 'subscription' | 'methods' | 'paid_twice'>;
    shop?: { name: string; logo?: string | undefined };
    locales: readonly string[];
    link: { to: 'on' | 'check' | 'retry'; href: string } | { to: 'shop'; href: string; name: string };
  }): RenderedPage;
};
