import { z } from 'zod';
import { type Amount, pricedOrder, shopAmount } from '../gateway/amount-fields.ts';
import { apmFields, person } from '../gateway/apm-payment.ts';
import { birthDate } from '../gateway/dates.ts';
import { directOrder, shopNested, threeDSecure } from '../gateway/direct-payment.ts';
import { shopItem } from '../gateway/items.ts';
import * as fields from '../gateway/payment-fields.ts';
import { requiredText, text } from '../gateway/text.ts';
import { metadata } from './metadata.ts';

/** The card brands that the form recognises by their numbers. */
export const brandIds = [
  'visa',
  'mastercard',
  'amex',
  'diners',
  'discover',
  'jcb',
  'unionpay',
  'maestro',
  'elo',
  'hipercard',
  'hiper',
  'mir',
  'troy',
  'verve',
  'naranja',
] as const;

export type BrandId = (typeof brandIds)[number];

/** The fields of `order`. */
export const orderFields = z.strictObject({
  ...fields.order,
  ...directOrder,
  ...fields.amounts(shopAmount),
  items: z
    .array(shopItem)
    .max(1000)
    .optional()
    .describe('The lines of the order. The relay writes them into the one text that the gateway wants.'),
  ...fields.shopper,
  birth_date: birthDate.optional().describe('Date of birth as `DD-MM-YYYY`.'),
  ...threeDSecure,
  ...fields.billing,
  ...fields.delivery,
  ...apmFields,
  ...shopNested,
});

/** `order`: every field of §2.1 and §2.3 that the shop knows, by its spec name. */
export const order = orderFields
  .check(pricedOrder)
  .meta({ name: 'Order', description: 'One order: what is sold, for how much, to whom.' });
export type Order = z.infer<typeof order>;

const card = z.strictObject({
  type: z.literal('card').describe('`card`, or `apm` for an alternative payment method.'),
  brands: z
    .array(z.enum(brandIds))
    .refine(isDistinct, 'names a brand twice')
    .optional()
    .describe('The brands whose logos are shown beside the card, in this order. Default: Visa and Mastercard.'),
});

/** A picture as a `data:` URL: the form loads nothing from elsewhere. */
const icon = text(16_000).regex(
  /^data:image\/(svg\+xml|png|webp|avif|jpeg|gif)[;,]/,
  'must be a data: URL of an image (SVG, PNG, WebP, AVIF, JPEG or GIF)',
);

const apm = z.strictObject({
  type: z.literal('apm').describe('`card`, or `apm` for an alternative payment method.'),
  payment_method: requiredText().describe('The gateway’s name of the method.'),
  label: requiredText(200).describe('What the shopper sees.'),
  icon: icon
    .optional()
    .describe(
      'A picture for it, as a `data:` URL of an image: the form loads nothing from elsewhere. It is shown at 36 × 24 pixels.',
    ),
  banks: z
    .array(
      z.strictObject({
        code: requiredText(100).describe('The value of `bank_code`.'),
        name: requiredText(200).describe('What the shopper sees.'),
      }),
    )
    .max(1000)
    .optional()
    .describe('Banks to choose from.'),
  fields: z
    .array(z.string().refine(isApmField, 'is not a field of an APM payment (§2.3)'))
    .max(100)
    .optional()
    .describe(
      'Fields that the form asks for when this method is chosen; `person.email` is the field inside the object.',
    ),
});

export const paymentMethod = z
  .discriminatedUnion('type', [card, apm])
  .meta({ name: 'PaymentMethod', description: 'One way to pay.' });
export type PaymentMethod = z.infer<typeof paymentMethod>;

/** The fields that the form can request besides the card's. */
const collectNames = ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'] as const;

/** The groups of `collect`, and the spec's fields that each group fills. */
export const collectGroups = {
  email: ['shopper_email'],
  phone: ['shopper_phone'],
  document: ['document'],
  birth_date: ['birth_date'],
  billing_address: Object.keys(fields.billing),
  delivery_address: Object.keys(fields.delivery),
} as const satisfies Record<(typeof collectNames)[number], readonly string[]>;

/** The fields of an installment plan. A request and an answer check them differently. */
export const planOf = (count: z.ZodType<string, string>, id: z.ZodType<string, string>, amount: Amount) => ({
  installments: count.describe('The number of installments, such as `"3"`.'),
  installments_id: id.optional().describe('The gateway’s id of an installment plan.'),
  each: amount.optional().describe('The amount of one installment. Shown, never charged by itself.'),
  total: amount.optional().describe('The total of all installments. Shown; the charged amount is the order’s amount.'),
});

const installmentOption = z
  .strictObject(planOf(requiredText(20), requiredText(), shopAmount))
  .meta({ name: 'InstallmentOption', description: 'One installment plan.' });
export type InstallmentOption = z.infer<typeof installmentOption>;

const savedCard = z
  .strictObject({
    token_id: requiredText().describe('The gateway’s token of a card.'),
    brand: text(40).describe('The card’s brand.'),
    last4: z
      .string()
      .regex(/^\d{4}$/, 'must be four digits')
      .describe('The card’s last four digits.'),
    expiration_month: z
      .string()
      .regex(/^(0[1-9]|1[0-2])$/, 'must be a month, 01 to 12')
      .describe('Month in which the card expires, `01` to `12`.'),
    expiration_year: z
      .string()
      .regex(/^(\d\d|\d{4})$/, 'must be a year of two or four digits')
      .describe('Year in which the card expires, of four digits or two.'),
  })
  .meta({ name: 'SavedCard', description: 'A card that the gateway has a token of.' });
export type SavedCard = z.infer<typeof savedCard>;

/** A BCP 47 language tag, in unchanged letter case. The pattern accepts fewer tags than the relay. */
export const localeTag = z.string().max(35).refine(isLocale, 'must be a language tag such as pt-BR').meta({
  name: 'Locale',
  description: 'A BCP 47 language tag: language, script, region.',
  pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?$',
});

/** `POST /v1/sessions`. */
export const createSession = z
  .strictObject({
    order: order.describe('Every field of the gateway’s payment messages that you know, by its name there.'),
    payment_methods: z
      .array(paymentMethod)
      .min(1)
      .max(50)
      .refine(distinctMethods, 'names a method twice')
      .optional()
      .describe('The ways to pay, in the order in which they are shown. Default: the card alone.'),
    installment_options: z
      .array(installmentOption)
      .max(60)
      .optional()
      .describe('The installment plans that the form shows.'),
    saved_cards: z
      .array(savedCard)
      .max(50)
      .optional()
      .describe('Cards that the shopper used before. Only a token that is listed here can be paid with.'),
    save_card: z
      .literal('ask')
      .optional()
      .describe(
        '`ask`: the form asks whether a typed card may be saved, and sends `token_flag` as `1` if the shopper agrees. It does not ask if the order has a `token_flag`.',
      ),
    collect: z
      .array(z.enum(collectNames))
      .refine(isDistinct, 'names a field twice')
      .optional()
      .describe('The fields that the form asks for besides the card. Values of the order are filled in.'),
    return_url: text(2000)
      .optional()
      .describe('Where the shopper goes at the end. It must be under one of the account’s `return_urls`.'),
    locale: localeTag.optional().describe('The shopper’s language, such as `pt-BR`. Default: that of the browser.'),
    expires_in: z
      .int()
      .min(1)
      .max(31_536_000)
      .optional()
      .describe('The number of seconds for which the session can be paid. Default: a day.'),
    metadata: metadata
      .optional()
      .describe(
        'Your own notes. Answers about the session and its webhooks include them. A card number in them is masked.',
      ),
  })
  .meta({ name: 'CreateSession', description: 'An order and how it may be paid.' });
export type CreateSession = z.infer<typeof createSession>;

/** Fields that replace those of an order, each as a whole. `null` removes an optional field. */
export type OrderChange = { [Name in keyof z.input<typeof order>]?: z.input<typeof order>[Name] | null };

/** Not zod's record, which drops a field with the name `__proto__`. */
const changes = z.strictObject(
  Object.fromEntries(Object.keys(order.shape).map((name) => [name, z.unknown().optional()])),
);

/**
 * `PATCH /v1/sessions/:id`. The fields of `order` replace the previous ones, and then the whole is checked as an
 * `order`.
 */
export const updateSession = z
  .strictObject({
    order: changes.describe('The fields that change. Absent fields keep their value.'),
    installment_options: z
      .array(installmentOption)
      .max(60)
      .optional()
      .describe(
        'The new plans. Default: the old ones, without `each` and `total` if the amount or the currency changes.',
      ),
  })
  .meta({ name: 'UpdateSession', description: 'Changes of an order that is not paid yet.' });

/** The body as callers write it. */
export type UpdateSession = Omit<z.input<typeof updateSession>, 'order'> & { order: OrderChange };

function distinctMethods(methods: readonly PaymentMethod[]): boolean {
  const names = methods.map((method) => (method.type === 'card' ? 'card' : `apm ${method.payment_method}`));
  return isDistinct(names);
}

function isDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/**
 * A field of §2.3 that a shopper can fill in: `document`, `billing_city`, `person.email`, `person.documents.file_url` …
 */
function isApmField(path: string): boolean {
  const [first = '', ...rest] = path.split('.');
  if (first !== 'person') return rest.length === 0 && Object.hasOwn(askable, first);
  return rest.length > 0 && rest.reduce<z.ZodType | undefined>(memberOf, person) !== undefined;
}

const askable: object = { ...fields.shopper, ...fields.billing, ...fields.delivery, ...apmFields };

function memberOf(schema: z.ZodType | undefined, name: string): z.ZodType | undefined {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const member: unknown =
    inner instanceof z.ZodObject && Object.hasOwn(inner.shape, name) ? inner.shape[name] : undefined;
  return member instanceof z.ZodType ? member : undefined;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
