import { issueTicket } from '../base/keys.ts';
import { accountOf, type Context } from '../context/context.ts';

/** How long a polling form gets the same address of the issuer's page. */
const SAME_ADDRESS_MS = 5 * 60_000;

/**
 * True if `url` is below one of the account's `return_urls`: with the same scheme and host, and a path below the
 * prefix. Both are parsed before they are compared, so that no spelling of a URL bypasses the check.
 */
export function isAllowedReturnUrl(url: string, prefixes: readonly string[]): boolean {
  const target = URL.parse(url);
  if (!target || target.username || target.password) return false;
  return prefixes.some((prefix) => {
    const allowed = URL.parse(prefix);
    return (
      allowed !== null &&
      target.protocol === allowed.protocol &&
      target.host === allowed.host &&
      isBelow(target.pathname, allowed.pathname)
    );
  });
}

/** The address to which the shopper returns: the shop's own, with values that the shop may show but must not trust. */
export function returnAddress(url: string, added: { session: string; order_no: string; status: string }): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(added)) target.searchParams.set(name, value);
  return target.href;
}

/** The relay's address that leads the shopper to the issuer's page of an attempt, for fifteen minutes after `from`. */
export function issuerAddress(
  context: Context,
  account: string,
  sessionId: string,
  attemptId: string,
  from = context.now(),
): string {
  return ticketAddress(context, sessionId, issueTicket(accountOf(context, account), attemptId, from));
}

/** The relay's address for a ticket, which redirects to the issuer's page. */
export function ticketAddress({ config }: Context, sessionId: string, ticket: string): string {
  return `${config.public_url}/checkout/${sessionId}/issuer?ticket=${encodeURIComponent(ticket)}`;
}

/**
 * The same for a form that polls: the address is valid for at least ten minutes, and a new one replaces it every five.
 */
export function continueAddress(context: Context, account: string, sessionId: string, attemptId: string): string {
  const now = context.now().getTime();
  return issuerAddress(context, account, sessionId, attemptId, new Date(now - (now % SAME_ADDRESS_MS)));
}

function isBelow(path: string, prefix: string): boolean {
  if (path === prefix || prefix === '') return true;
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}
