import type { CookieOptions } from 'express';
import { z } from 'zod';
import type { SessionCreated } from '../../client/index.ts';
import type { Options } from './options.ts';

/** What the shop keeps of a session that it made, to show its checkout. */
export type Checkout = Pick<SessionCreated, 'id' | 'client_secret' | 'checkout_url'>;

/** The one cookie that keeps a visitor's order; a browser would send more of them to the relay's and gateway's ports too. */
export const COOKIE = 'order';

/** How the browser keeps an order: out of scripts' reach, and a day at most. The sandbox is on loopback, without TLS. */
export const cookieOptions: CookieOptions = { httpOnly: true, sameSite: 'lax', path: '/', maxAge: 24 * 60 * 60 * 1000 };

/** Writes what is needed to show an order's checkout again. */
export function writeCookie(options: Options, { id, client_secret }: Checkout): string {
  return Buffer.from(JSON.stringify({ of: goods(options), id, client_secret })).toString('base64url');
}

/** Reads the current order of these options out of a `Cookie` header; undefined when there is none. */
export function readCookie(header: string | undefined, options: Options, relayUrl: string): Checkout | undefined {
  const entry = header?.split('; ').find((candidate) => candidate.startsWith(`${COOKIE}=`));
  const kept = text.safeParse(entry?.slice(COOKIE.length + 1));
  if (!kept.success || kept.data.of !== goods(options)) return undefined;
  const { id, client_secret } = kept.data;
  return { id, client_secret, checkout_url: `${relayUrl}/checkout/${id}#${client_secret}` };
}

/** What is ordered. Language and theme only show it otherwise. */
function goods({ amount, methods, subscription }: Options): string {
  return `${amount ?? 'tea'} ${methods ?? 'all'} ${subscription ?? 'once'}`;
}

const id = z.string().regex(/^[\w-]{1,200}$/);
const secret = z.string().regex(/^[\w.-]{1,200}$/);

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
  .pipe(z.object({ of: z.string(), id, client_secret: secret }));
