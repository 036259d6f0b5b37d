import { z } from 'zod';
import { localeTag } from '../../shared/checkout/session.ts';
import { positiveShopAmount } from '../../shared/gateway/amounts.ts';

const query = z.object({
  locale: localeTag.optional().catch(undefined),
  theme: z.enum(['light', 'dark', 'auto']).catch('auto'),
  amount: positiveShopAmount.optional().catch(undefined),
  methods: z.literal('card').optional().catch(undefined),
  subscription: z.literal('month').optional().catch(undefined),
});

/** How a visitor wants to see the shop. */
export type Options = Omit<z.infer<typeof query>, 'locale'> & { locale: string };

/** Reads the page's query; what cannot be read counts as not given. `languages` are the browser's, best first. */
export function readOptions(given: unknown, languages: readonly string[]): Options {
  const options = query.parse(given);
  const spoken = languages.find((language) => localeTag.safeParse(language).success);
  return { ...options, locale: options.locale ?? spoken ?? 'en' };
}
