import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { Link, useApp } from '../app/app.tsx';
import { addressOf, type FilteredPage, filteredPages, type Route } from '../app/route.ts';
import { AttentionContext, countText, forPerson, groupsOf, useReadAttention } from '../home/attention.ts';
import { HomeScreen } from '../home/home-screen.tsx';
import { useKeptIntents } from '../intent/use-intent.ts';
import type { Words } from '../locales/words.ts';
import { OrdersScreen } from '../orders/orders-screen.tsx';
import { useFocusNearRemoved } from '../parts/focus.ts';
import { Later, type Load } from '../parts/later.tsx';
import { ReloadNotice } from '../parts/state.tsx';
import { Foreign, harmless } from '../parts/text.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { searchText } from '../search/search-text.ts';

/** The pages of the navigation. */
const entries = ['needs_you', ...filteredPages] as const;
type Entry = (typeof entries)[number];

/** The scopes for each page: a person needs one of them. Other pages need `console`. */
const needed: { readonly [page in Entry]?: readonly Scope[] } = {
  payouts: ['console', 'payout'],
  webhooks: ['events'],
};

/** The pages that the person has access to. */
function usePages(): readonly Entry[] {
  const { may } = useApp();
  return entries.filter((entry) => (needed[entry] ?? ['console']).some(may));
}

/** The frame of a screen: navigation, account and person. */
export function Shell({ children, onSignOut }: { children: ComponentChildren; onSignOut: () => Promise<void> }) {
  const { me, account, words, route, isOutdated } = useApp();
  const main = useRef<HTMLElement>(null);
  const [isStillSignedIn, setSignedIn] = useState(false);
  const attention = useReadAttention();
  const waiting = attention.answer ? groupsOf(attention.answer, forPerson) : [];
  const pages = usePages();
  const place = `${account.id} ${route.page} ${subjectOf(route)}`;
  // The order screen is loaded ahead: people usually open it next.
  useEffect(() => void loadOrder().catch(() => undefined), []);
  useFocusNearRemoved();
  const before = useRef(place);
  useLayoutEffect(() => {
    // Keyboard users start at the top of the new page.
    if (before.current !== place) main.current?.focus();
    before.current = place;
    document.title = `${titleOf(route, words)} · Turnpike`;
  }, [place, route, words]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="side">
        <p class="brand">Turnpike</p>
        <AccountSwitch />
        <SearchBox />
        <nav aria-label={words.navigation}>
          {pages.map((entry) => (
            <Link key={entry} to={firstOf(entry)} isCurrent={isWithin(route, entry)}>
              {words.pages[entry]}
              {entry === 'needs_you' && waiting.length > 0 && (
                <>
                  {' '}
                  <span class="count">{countText(waiting)}</span>
                </>
              )}
            </Link>
          ))}
        </nav>
        <div class="person">
          <Link to={{ page: 'own' }} isCurrent={route.page === 'own'}>
            <span title={words.pages.own}>
              <span class="hidden">{words.pages.own}: </span>
              <Foreign text={me.name} />
            </span>
          </Link>
          <button
            type="button"
            class="plain"
            onClick={() => {
              setSignedIn(false);
              onSignOut().catch(() => setSignedIn(true));
            }}
          >
            {words.sign_out}
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {isStillSignedIn && (
          <p class="notice open" role="alert">
            {words.not_signed_out}
          </p>
        )}
        <ReloadNotice words={words} isOutdated={isOutdated} />
        <UnansweredIntent />
        <AttentionContext.Provider value={attention}>{children}</AttentionContext.Provider>
      </main>
    </div>
  );
}

/** The subject of a page, such as an order number. Another subject is another page. */
function subjectOf(route: Route): string {
  if (route.page === 'order') return route.orderNo;
  return route.page === 'search' ? String(route.filter) : '';
}

/** The document title. It distinguishes the page in tabs and in the history. */
function titleOf(route: Route, { orders, operation, webhooks, pages, title }: Words): string {
  switch (route.page) {
    case 'order':
      return `${orders.order} ${harmless(route.orderNo)}`;
    case 'operation':
      return operation.id;
    case 'webhook':
      return webhooks.id;
    case 'search':
      return [pages.search, harmless(searchText(route.filter.get('q') ?? ''))].filter((part) => part !== '').join(' ');
    case 'nowhere':
      return title;
    default:
      return pages[route.page];
  }
}

function firstOf(page: Entry): Route {
  return page === 'needs_you' ? { page } : { page, filter: new URLSearchParams() };
}

function isWithin(route: Route, page: Entry): boolean {
  if (page === 'webhooks' && route.page === 'webhook') return true;
  return route.page === page || (page === 'orders' && ['order', 'operation'].includes(route.page));
}

/** Links to the page of a request that has no answer yet. */
function UnansweredIntent() {
  const { words } = useApp();
  const [first] = useKeptIntents()
    .all()
    .filter(({ href }) => href !== window.location.pathname + window.location.search);
  if (!first) return null;
  return (
    <p class="notice open" role="status">
      {words.waiting_intent} <a href={first.href}>{words.open_it}</a>
    </p>
  );
}

function AccountSwitch() {
  const { me, account, words } = useApp();
  if (me.accounts.length < 2) {
    return (
      <p class="account">
        <Foreign text={account.name} />
      </p>
    );
  }
  return (
    <label class="account">
      <span class="hidden">{words.account}</span>
      <select
        value={account.id}
        onChange={({ currentTarget }) => {
          window.history.pushState(null, '', addressOf(firstOf('orders'), currentTarget.value));
          window.dispatchEvent(new PopStateEvent('popstate'));
        }}
      >
        {me.accounts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Screens that are loaded when they are first opened. */
const laterScreens: Readonly<Record<Exclude<FilteredPage, 'orders'> | 'search', Load<{ filter: URLSearchParams }>>> = {
  disputes: () => import('../disputes/disputes-screen.tsx').then((chunk) => chunk.DisputesScreen),
  payouts: () => import('../payouts/payouts-screen.tsx').then((chunk) => chunk.PayoutsScreen),
  subscriptions: () => import('../subscriptions/subscriptions-screen.tsx').then((chunk) => chunk.SubscriptionsScreen),
  webhooks: () => import('../webhooks/webhooks-screen.tsx').then((chunk) => chunk.WebhooksScreen),
  requests: () => import('../requests/requests-screen.tsx').then((chunk) => chunk.RequestsScreen),
  figures: () => import('../figures/figures-screen.tsx').then((chunk) => chunk.FiguresScreen),
  search: () => import('../search/search-screen.tsx').then((chunk) => chunk.SearchScreen),
  audit: () => import('../audit/audit-screen.tsx').then((chunk) => chunk.AuditScreen),
};
const loadOrder: Load<{ orderNo: string }> = () =>
  import('../order/order-screen.tsx').then((chunk) => chunk.OrderScreen);
const loadOperation: Load<{ id: string }> = () =>
  import('../operation/operation-screen.tsx').then((chunk) => chunk.OperationScreen);
const loadOwn: Load<object> = () => import('../own/own-screen.tsx').then((chunk) => chunk.OwnScreen);
const loadWebhook: Load<{ id: string }> = () =>
  import('../webhooks/webhook-screen.tsx').then((chunk) => chunk.WebhookScreen);

/** The screen of the route. */
export function Screen() {
  const { route, words } = useApp();
  switch (route.page) {
    case 'needs_you':
      return <FirstScreen />;
    case 'order':
      return <Later key={route.orderNo} load={loadOrder} with={{ orderNo: route.orderNo }} />;
    case 'operation':
      return <Later key={route.id} load={loadOperation} with={{ id: route.id }} />;
    case 'webhook':
      return <Later key={route.id} load={loadWebhook} with={{ id: route.id }} />;
    case 'own':
      return <Later load={loadOwn} with={{}} />;
    case 'nowhere':
      return (
        <div class="empty">
          <h1>{words.nowhere}</h1>
          <Link to={{ page: 'orders', filter: new URLSearchParams() }}>{words.pages.orders}</Link>
        </div>
      );
    case 'orders':
      return <OrdersScreen filter={route.filter} />;
    default:
      return <Later key={route.page} load={laterScreens[route.page]} with={{ filter: route.filter }} />;
  }
}

/** The home screen, or the first page that the person has access to. */
function FirstScreen() {
  const { go } = useApp();
  const [first = 'needs_you'] = usePages();
  useEffect(() => {
    if (first !== 'needs_you') go(firstOf(first), 'replace');
  }, [first, go]);
  return first === 'needs_you' ? <HomeScreen /> : null;
}
