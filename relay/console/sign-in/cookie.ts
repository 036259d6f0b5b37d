import type { CookieOptions, Request, Response } from 'express';

/** No other host and no plain page can set a cookie of this name. */
const NAME = '__Host-turnpike-console';

const options: CookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' };

const TOKEN = new RegExp(`(?:^|;) *${NAME}=([\\w-]{43}) *(?:;|$)`);

/** The token in the console's cookie; undefined where there is none, or none of ours. */
export function tokenIn({ headers }: Request): string | undefined {
  return TOKEN.exec(headers.cookie ?? '')?.[1];
}

/** Lets the browser keep the token until it is closed. */
export function setToken(res: Response, token: string): void {
  res.cookie(NAME, token, options);
}

/** Lets the browser forget it. */
export function dropToken(res: Response): void {
  res.clearCookie(NAME, options);
}
