import type { Request, Response } from 'express';
import type { Notice, PublicView } from '../../shared/checkout/view.ts';
import type { Account } from '../config/load.ts';
import { accountOf, type Context } from '../context/context.ts';
import type { Session } from '../payments/session.ts';
import { accountRules, appearanceOf } from './appearance.ts';
import type { Assets } from './assets.ts';
import { messagePage, requestedLocales } from './page.ts';

/** Sends a page with one message, which may be about a session and its view. */
type SendMessage = (req: Request, res: Response, notice: Notice, session?: Session, view?: PublicView) => void;

/** Returns a function that sends pages with one message, in the appearance of the session's shop, with a link. */
export function messageSender(context: Context, assets: Assets): SendMessage {
  return (req, res, notice, session, view) => {
    const shop = session ? ownerOf(context, session) : guessedShop(context, req);
    const rendered = assets.render.renderNotice({
      notice,
      ...(view && { view }),
      locales: requestedLocales(req.query.locale, session?.terms.locale, req.get('accept-language')),
      ...(shop ? { shop: { name: shop.account.name, logo: logoOf(shop.account) } } : {}),
      link: linkOf(notice, session, shop),
    });
    const again = secondsUntilReload(req, notice, view);
    if (again !== undefined) res.set('Refresh', String(again));
    const { theme, variables } = shop?.account.appearance ?? { variables: {} };
    const look = { ...appearanceOf(undefined, theme), variables: accountRules(variables, theme) };
    // The frame of an unknown session reports the error to the page around it.
    const isFrame = notice === 'not_found' && !session && req.get('sec-fetch-dest') === 'iframe';
    const page = messagePage(assets, rendered, look, isFrame ? { code: notice, message: rendered.title } : undefined);
    res.set(page.headers).send(page.html);
  };
}

/**
 * The seconds after which a page, which has no script, loads itself again; undefined if its text is final. The outcome of a payment is
 * known in a moment. A second payment of a paid order is known soon after the shopper's return, if there is one, or much later: the page's own
 * reloads, which are same-origin requests, are slower.
 */
function secondsUntilReload(req: Request, notice: Notice, view?: PublicView): number | undefined {
  if (notice === 'confirming') return 2;
  if (notice !== 'approved' || !view?.watched) return undefined;
  return req.get('sec-fetch-site') === 'same-origin' ? 60 : 5;
}

/** The address of an account's logo. */
export function logoOf({ appearance: { logo } }: Account): string | undefined {
  return logo && `/logo/${logo.file}`;
}

/** A shop, and its address for shoppers. */
type Shop = { account: Account; address: string };

function ownerOf(context: Context, session: Session): Shop {
  const account = accountOf(context, session.account);
  return { account, address: homeOf(account) };
}

/** The shop of a link without a known session: the one whose page the shopper comes from, or the only one of the relay. */
function guessedShop({ config: { accounts } }: Context, req: Request): Shop | undefined {
  const origin = URL.parse(req.get('referer') ?? '')?.origin;
  const account = accounts.find(({ allowed_origins }) => origin !== undefined && allowed_origins.includes(origin));
  if (account && origin !== undefined) return { account, address: origin };
  const [only, ...others] = accounts;
  return only && others.length === 0 ? { account: only, address: homeOf(only) } : undefined;
}

function homeOf({ allowed_origins: [first = ''] }: Account): string {
  return first;
}

/** The address of the page itself. Its path comes from the request and must not be written into the page. */
const ITSELF = '?';

const retry = { to: 'retry', href: ITSELF } as const;

/** The link of a page: to the shop, or to the current outcome of the payment. */
function linkOf(notice: Notice, session: Session | undefined, shop: Shop | undefined) {
  const onwards = session ? `/return/${session.id}` : ITSELF;
  switch (notice) {
    case 'issuer_unreachable':
      return { to: 'on', href: onwards } as const;
    case 'processing':
    case 'redirected':
    case 'confirming':
    case 'pending':
    case 'unknown':
      return { to: 'check', href: onwards } as const;
    // Not to the return address: a request there counts as the shopper's return from the issuer.
    case 'link_expired':
      return shop ? ({ to: 'shop', href: shop.address, name: shop.account.name } as const) : retry;
    case 'open':
    case 'approved':
    case 'failed':
    case 'expired':
    case 'order_already_paid':
    case 'not_found': {
      if (!shop) return retry;
      const href = session?.terms.return_url === undefined ? shop.address : onwards;
      return { to: 'shop', href, name: shop.account.name } as const;
    }
  }
}
