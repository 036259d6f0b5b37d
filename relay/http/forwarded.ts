const BRACKETED = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i;
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;

/**
 * `X-Forwarded-For` with every address bare: some proxies write the port too, and IPv6 in brackets. Express takes neither for an
 * address, so it would trust no proxy behind such a one, and tell no shopper's. What is no address stays as it is.
 */
export function bareAddresses(forwardedFor: string): string {
  return forwardedFor
    .split(',')
    .map((entry) => {
      const text = entry.trim();
      return BRACKETED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text;
    })
    .join(', ');
}
