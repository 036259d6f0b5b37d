import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link, useApp } from '../app/app.tsx';
import { type Route, routeOf } from '../app/route.ts';
import { AuditScreen } from '../audit/audit-screen.tsx';
import { AttentionContext, countText, forPerson, groupsOf, useReadAttention } from '../home/attention.ts';
import { HomeScreen } from '../home/home-screen.tsx';
import { useKeptIntents } from '../intent/use-intent.ts';
import { fill, type Words } from '../locales/words.ts';
import { OperationScreen } from '../operation/operation-screen.tsx';
import { OrderScreen } from '../order/order-screen.tsx';
import { OrdersScreen } from '../orders/orders-screen.tsx';
import { ReloadNotice, Waiting } from '../parts/state.tsx';
import { Foreign, harmless } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { PayoutsScreen } from '../payouts/payouts-screen.tsx';
import { SubscriptionsScreen } from '../subscriptions/subscriptions-screen.tsx';
import { WebhookScreen } from '../webhooks/webhook-screen.tsx';
import { WebhooksScreen } from '../webhooks/webhooks-screen.tsx';

type Entry = {
  page: 'needs_you' | 'orders' | 'payouts' | 'subscriptions' | 'webhooks' | 'figures' | 'audit';
  route: Route;
};

/** The pages that the navigation leads to. */
const entries: readonly Entry[] = [
  { page: 'needs_you', route: { page: 'needs_you' } },
  { page: 'orders', route: { page: 'orders', filter: new URLSearchParams() } },
  { page: 'payouts', route: { page: 'payouts', filter: new URLSearchParams() } },
  { page: 'subscriptions', route: { page: 'subscriptions', filter: new URLSearchParams() } },
  { page: 'webhooks', route: { page: 'webhooks', filter: new URLSearchParams() } },
  { page: 'figures', route: { page: 'figures', filter: new URLSearchParams() } },
  { page: 'audit', route: { page: 'audit', filter: new URLSearchParams() } },
];

/** Navigation, account and person around a screen. */
export function Shell({ children, onSignOut }: { children: ComponentChildren; onSignOut: () => void }) {
  const { me, account, words, route, isOutdated } = useApp();
  const main = useRef<HTMLElement>(null);
  const attention = useReadAttention();
  const needed = attention.answer ? groupsOf(attention.answer, forPerson) : [];
  const place = `${account.id} ${route.page} ${'orderNo' in route ? route.orderNo : ''}`;
  const before = useRef(place);
  useEffect(() => {
    // Whoever goes to another page by keyboard begins at its top.
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
        <nav aria-label={words.navigation}>
          {entries.map((entry) => (
            <Link key={entry.page} to={entry.route} isCurrent={isWithin(route, entry.page)}>
              {words.pages[entry.page]}
              {entry.page === 'needs_you' && needed.length > 0 && (
                <>
                  {' '}
                  <span class="count">{countText(needed)}</span>
                </>
              )}
            </Link>
          ))}
        </nav>
        <div class="person">
          <span title={fill(words.signed_in_as, { name: me.name })}>
            <Foreign text={me.name} />
          </span>
          <button type="button" class="plain" onClick={onSignOut}>
            {words.sign_out}
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <ReloadNotice words={words} isOutdated={isOutdated} />
        <UnansweredIntent />
        <AttentionContext.Provider value={attention}>{children}</AttentionContext.Provider>
      </main>
    </div>
  );
}

/** What tells this page from others in the tabs and the history of a browser. */
function titleOf(route: Route, { orders, operation, webhooks, pages, title }: Words): string {
  switch (route.page) {
    case 'order':
      return `${orders.order} ${harmless(route.orderNo)}`;
    case 'operation':
      return operation.id;
    case 'webhook':
      return webhooks.id;
    case 'nowhere':
      return title;
    default:
      return pages[route.page];
  }
}

function isWithin(route: Route, page: Entry['page']): boolean {
  if (page === 'webhooks' && route.page === 'webhook') return true;
  return route.page === page || (page === 'orders' && ['order', 'operation'].includes(route.page));
}

/** Leads back to where something was sent from that has no answer yet. */
function UnansweredIntent() {
  const { words } = useApp();
  const [first] = useKeptIntents()
    .all()
    .filter(({ href }) => href !== window.location.pathname + window.location.search);
  if (!first) return null;
  return (
    <p class="notice open" role="status">
      {words.waiting_intent} <Link to={routeOf(new URL(first.href, window.location.href)).route}>{words.open_it}</Link>
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
          const query =
            currentTarget.value === me.accounts[0]?.id ? '' : `?account=${encodeURIComponent(currentTarget.value)}`;
          window.history.pushState(null, '', `/console/orders${query}`);
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

/** The screen of the route. */
export function Screen() {
  const { route, words } = useApp();
  switch (route.page) {
    case 'needs_you':
      return <HomeScreen />;
    case 'orders':
      return <OrdersScreen filter={route.filter} />;
    case 'order':
      return <OrderScreen key={route.orderNo} orderNo={route.orderNo} />;
    case 'operation':
      return <OperationScreen key={route.id} id={route.id} />;
    case 'payouts':
      return <PayoutsScreen filter={route.filter} />;
    case 'subscriptions':
      return <SubscriptionsScreen filter={route.filter} />;
    case 'webhooks':
      return <WebhooksScreen filter={route.filter} />;
    case 'webhook':
      return <WebhookScreen key={route.id} id={route.id} />;
    case 'figures':
      return <Figures filter={route.filter} />;
    case 'audit':
      return <AuditScreen filter={route.filter} />;
    case 'nowhere':
      return (
        <div class="empty">
          <h1>{words.nowhere}</h1>
          <Link to={{ page: 'orders', filter: new URLSearchParams() }}>{words.pages.orders}</Link>
        </div>
      );
  }
}

/** The figures, whose charts are loaded when somebody first looks at them. */
function Figures({ filter }: { filter: URLSearchParams }) {
  const reading = useAnswer(
    'figures',
    () => import('../figures/figures-screen.tsx'),
    () => false,
  );
  if (!reading.answer) return <Waiting reading={reading} />;
  const { FiguresScreen } = reading.answer;
  return <FiguresScreen filter={filter} />;
}
