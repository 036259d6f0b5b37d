import { InvalidInput } from '../base/refusals.ts';

/** The issuer's behaviour for visits of its address. `fails` are the statuses of the first visits; later ones reach the page. */
export type IssuerBehaviour = { title: string; does: string; fails?: readonly number[] };

/** The behaviours of banks that restrict the visits of their pages. */
export const issuerBehaviours = {
  plain: { title: 'Plain', does: 'Redirects to the page where the shopper decides.' },
  browsers_only: { title: 'Browsers only', does: 'Answers 403 to a visit without User-Agent.' },
  cookie: {
    title: 'Cookie first',
    does: 'Sets a cookie, redirects to itself, and answers 403 where the cookie is missing.',
  },
  app: { title: 'The bank’s app', does: 'Redirects to sandbank://, which no browser has.' },
  busy: { title: 'Busy once', does: 'Answers 503 to the first visit.', fails: [503] },
  down: { title: 'Busy twice', does: 'Answers 503 to the first two visits.', fails: [503, 503] },
  reset: { title: 'Reset once', does: 'Resets the connection of the first visit.' },
  silent: { title: 'Silent once', does: 'Never answers the first visit.' },
  first_401: { title: 'Unauthorized once', does: 'Answers 401 to the first visit.', fails: [401] },
  first_403: { title: 'Forbidden once', does: 'Answers 403 to the first visit.', fails: [403] },
  first_404: { title: 'Not found once', does: 'Answers 404 to the first visit.', fails: [404] },
  first_429: { title: 'Too many once', does: 'Answers 429 to the first visit.', fails: [429] },
  first_500: { title: 'Broken once', does: 'Answers 500 to the first visit.', fails: [500] },
  once: { title: 'Opens once', does: 'Shows its page to the first visit alone, and 410 to every other.' },
} as const satisfies Record<string, IssuerBehaviour>;

export type IssuerBehaviourName = keyof typeof issuerBehaviours;

/** The names of the behaviours. */
export const issuerBehaviourNames = Object.keys(issuerBehaviours).filter(isIssuerBehaviourName);

/** True for the name of a behaviour. */
function isIssuerBehaviourName(name: string): name is IssuerBehaviourName {
  return Object.hasOwn(issuerBehaviours, name);
}

/** The behaviour that a person or a test chose for the next payments. An order number can ask for another one. */
export class IssuerBehaviours {
  chosen: IssuerBehaviourName = 'plain';

  /** The behaviour for one payment: `issuer:once` in its order_no, otherwise the chosen one. Throws InvalidInput for an unknown name. */
  of(order_no: string): IssuerBehaviourName {
    const [, asked] = /issuer:([a-z0-9_]+)/.exec(order_no) ?? [];
    if (asked === undefined) return this.chosen;
    if (!isIssuerBehaviourName(asked)) throw new InvalidInput(`no issuer is called ${asked}`);
    return asked;
  }
}
