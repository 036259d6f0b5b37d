/**
 * True when `url` lies under one of the account's `return_urls`: the same scheme and host exactly, and a path below the
 * prefix. Both are compared after parsing, so no spelling of a URL gets around it.
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

/** The address that the shopper goes back to: the shop's own, with what it may show (but not trust). */
export function returnAddress(url: string, added: { session: string; order_no: string; status: string }): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(added)) target.searchParams.set(name, value);
  return target.href;
}

function isBelow(path: string, prefix: string): boolean {
  if (path === prefix || prefix === '') return true;
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}
