import { z } from 'zod';
import { shopAmount } from '../gateway/amounts.ts';
import { apmFields, person } from '../gateway/apm-payment.ts';
import { date } from '../gateway/dates.ts';
import { directOrder, nested, threeDSecure } from '../gateway/direct-payment.ts';
import { shopItem } from '../gateway/items.ts';
import * as fields from '../gateway/payment-fields.ts';
import { pricedOrder } from '../gateway/priced.ts';
import { requiredText, text } from '../gateway/text.ts';
import { brandIds } from './brands.ts';

/** The fields of `order`, each by itself. */
export const orderFields = z.strictObject({
  ...fields.order,
  ...directOrder,
  ...fields.amounts(shopAmount),
  items: z.array(shopItem).max(1000).optional(),
  ...fields.shopper,
  birth_date: date('DD-MM-YYYY').optional(),
  ...threeDSecure,
  ...fields.billing,
  ...fields.delivery,
  ...apmFields,
  ...nested(shopAmount),
});

/** `order`: every field of §2.1 and §2.3 that the shop knows, by its spec name. */
export const order = orderFields.check(pricedOrder);
export type Order = z.infer<typeof order>;

const card = z.strictObject({
  type: z.literal('card'),
  brands: z.array(z.enum(brandIds)).refine(isDistinct, 'names a brand twice').optional(),
});

/** A picture within the text itself: the form loads nothing from elsewhere. */
const icon = text(16_000).regex(
  /^data:image\/(svg\+xml|png|webp|avif|jpeg|gif)[;,]/,
  'must be a data: URL of an image (SVG, PNG, WebP, AVIF, JPEG or GIF)',
);

const apm = z.strictObject({
  type: z.literal('apm'),
  payment_method: requiredText(),
  label: requiredText(200),
  icon: icon.optional(),
  banks: z
    .array(z.strictObject({ code: requiredText(100), name: requiredText(200) }))
    .max(1000)
    .optional(),
  fields: z.array(z.string().refine(isApmField, 'is not a field of an APM payment (§2.3)')).max(100).optional(),
});

export const paymentMethod = z.discriminatedUnion('type', [card, apm]);
export type PaymentMethod = z.infer<typeof paymentMethod>;

/** What the form can be made to ask beside the card. */
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

export const installmentOption = z.strictObject({
  installments: requiredText(20),
  installments_id: requiredText().optional(),
  each: shopAmount.optional(),
  total: shopAmount.optional(),
});
export type InstallmentOption = z.infer<typeof installmentOption>;

export const savedCard = z.strictObject({
  token_id: requiredText(),
  brand: text(40),
  last4: z.string().regex(/^\d{4}$/, 'must be four digits'),
  expiration_month: z.string().regex(/^(0[1-9]|1[0-2])$/, 'must be a month, 01 to 12'),
  expiration_year: z.string().regex(/^(\d\d|\d{4})$/, 'must be a year of two or four digits'),
});
export type SavedCard = z.infer<typeof savedCard>;

/** A BCP 47 language tag, in the case it came in. */
export const localeTag = z.string().max(35).refine(isLocale, 'must be a language tag such as pt-BR');

/** `POST /v1/sessions`. */
export const createSession = z.strictObject({
  order,
  payment_methods: z.array(paymentMethod).min(1).max(50).refine(distinctMethods, 'names a method twice').optional(),
  installment_options: z.array(installmentOption).max(60).optional(),
  saved_cards: z.array(savedCard).max(50).optional(),
  save_card: z.literal('ask').optional(),
  collect: z.array(z.enum(collectNames)).refine(isDistinct, 'names a field twice').optional(),
  return_url: text(2000).optional(),
  locale: localeTag.optional(),
  expires_in: z.int().min(1).max(31_536_000).optional(),
});
export type CreateSession = z.infer<typeof createSession>;

/** Fields that replace those of an order, each one whole; `null` takes one away that an order need not have. */
export type OrderChange = { [Name in keyof z.input<typeof order>]?: z.input<typeof order>[Name] | null };

/** No record of zod's, which drops a field called `__proto__`. */
const changes = z.strictObject(
  Object.fromEntries(Object.keys(order.shape).map((name) => [name, z.unknown().optional()])),
);

/** `PATCH /v1/sessions/:id`. The fields of `order` are checked where they have replaced the old ones, as an `order`. */
export const updateSession = z.strictObject({
  order: changes,
  installment_options: z.array(installmentOption).max(60).optional(),
});

/** The same as callers write it. */
export type UpdateSession = Omit<z.input<typeof updateSession>, 'order'> & { order: OrderChange };

function distinctMethods(methods: readonly PaymentMethod[]): boolean {
  const names = methods.map((method) => (method.type === 'card' ? 'card' : `apm ${method.payment_method}`));
  return isDistinct(names);
}

function isDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/** A field of §2.3 that a shopper can fill in: `document`, `billing_city`, `person.email`, `person.documents.file_url` … */
function isApmField(path: string): boolean {
  const [first = '', ...rest] = path.split('.');
  if (first !== 'person') return rest.length === 0 && Object.hasOwn(askable, first);
  return rest.length > 0 && rest.reduce<z.ZodType | undefined>(memberOf, person) !== undefined;
}

const askable: object = {
  ...fields.shopper,
  ...fields.billing,
  ...fields.delivery,
  delivery_district_name: 1,
  delivery_street_name: 1,
  bank_code: 1,
};

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
