import { InvalidInput } from '../base/refusals.ts';

/** How the issuer treats who opens its address; a visit that fails is the first one, so that a later one gets to the page. */
type Manner = { title: string; does: string };

/** Every way in which banks are picky about who comes to their pages, and how. */
export const manners = {
  plain: { title: 'Plain', does: 'Redirects to the page where the shopper decides.' },
  browsers_only: { title: 'Browsers only', does: 'Answers 403 to a visit without User-Agent.' },
  cookie: {
    title: 'Cookie first',
    does: 'Sets a cookie, redirects to itself, and answers 403 where the cookie is missing.',
  },
  app: { title: 'The bank’s app', does: 'Redirects to sandbank://, which no browser has.' },
  busy: { title: 'Busy once', does: 'Answers 503 to the first visit.' },
  down: { title: 'Busy twice', does: 'Answers 503 to the first two visits.' },
  reset: { title: 'Reset once', does: 'Resets the connection of the first visit.' },
  silent: { title: 'Silent once', does: 'Never answers the first visit.' },
  first_401: { title: 'Unauthorized once', does: 'Answers 401 to the first visit.' },
  first_403: { title: 'Forbidden once', does: 'Answers 403 to the first visit.' },
  first_404: { title: 'Not found once', does: 'Answers 404 to the first visit.' },
  first_429: { title: 'Too many once', does: 'Answers 429 to the first visit.' },
  first_500: { title: 'Broken once', does: 'Answers 500 to the first visit.' },
  once: { title: 'Opens once', does: 'Shows its page to the first visit alone, and 410 to every other.' },
} as const satisfies Record<string, Manner>;

export type MannerName = keyof typeof manners;

/** The same as a list. */
export const mannerNames = Object.keys(manners).filter(isMannerName);

/** True for the name of a manner. */
function isMannerName(name: string): name is MannerName {
  return Object.hasOwn(manners, name);
}

/** The manner of payments to come, which a person or a test chooses; an order number may ask for another. */
export class IssuerManners {
  chosen: MannerName = 'plain';

  /** The manner of one payment: `issuer:once` in its order_no, else what is chosen. Throws InvalidInput for an unknown one. */
  of(order_no: string): MannerName {
    const [, asked] = /issuer:([a-z0-9_]+)/.exec(order_no) ?? [];
    if (asked === undefined) return this.chosen;
    if (!isMannerName(asked)) throw new InvalidInput(`no issuer is called ${asked}`);
    return asked;
  }
}
