import type { CookieOptions } from 'express';
import { z } from 'zod';
import type { Options } from './options.ts';
import { type CreatedSession, created } from './relay-client.ts';

/** How the browser keeps an order: out of scripts' reach, and a day at most. The sandbox is on loopback, without TLS. */
export const cookieOptions: CookieOptions = { httpOnly: true, sameSite: 'lax', path: '/', maxAge: 24 * 60 * 60 * 1000 };

/** The name of the cookie that keeps the current order of these options. Language and theme only show it otherwise. */
export function cookieName({ amount, methods }: Pick<Options, 'amount' | 'methods'>): string {
  return `order-${amount ?? 'tea'}-${methods ?? 'all'}`;
}

/** Writes what is needed to show an order's checkout again. */
export function writeCookie({ id, client_secret, checkout_url }: CreatedSession): string {
  return Buffer.from(JSON.stringify({ id, client_secret, checkout_url })).toString('base64url');
}

/** Reads the current order out of a `Cookie` header; undefined when there is none, or none of this relay's. */
export function readCookie(header: string | undefined, name: string, relayUrl: string): CreatedSession | undefined {
  const entry = header?.split('; ').find((candidate) => candidate.startsWith(`${name}=`));
  const kept = text.safeParse(entry?.slice(name.length + 1));
  return kept.success && kept.data.checkout_url.startsWith(`${relayUrl}/checkout/`) ? kept.data : undefined;
}

const text = z
  .string()
  .transform((value, context) => {
    try {
      const parsed: unknown = JSON.parse(Buffer.from(value, 'base64url').toString());
      return parsed;
    } catch {
      context.addIssue('is not JSON');
      return z.NEVER;
    }
  })
  .pipe(created);
