import { localeTag } from '../../shared/checkout/session.ts';

/**
 * The shopper's languages, best first: what the page was asked for, what the shop said, what the browser wants (RFC 9110 12.5.4).
 * Apps say `pt_BR` for `pt-BR`; what is no language tag is left out.
 */
export function localeWishes(
  asked: unknown,
  session: string | undefined,
  acceptLanguage: string | undefined,
): string[] {
  const accepted = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', weight] = entry.trim().split(/\s*;\s*q=/i);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .map(({ tag }) => tag);
  return [asked, session, ...accepted].flatMap((wish) => {
    const parsed = localeTag.min(2).safeParse(typeof wish === 'string' ? wish.replaceAll('_', '-') : wish);
    return parsed.success ? [parsed.data] : [];
  });
}
