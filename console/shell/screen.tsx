import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { AuditScreen } from '../audit/audit-screen.tsx';
import { HomeScreen } from '../home/home-screen.tsx';
import { OperationScreen } from '../operation/operation-screen.tsx';
import { OrderScreen } from '../order/order-screen.tsx';
import { OrdersScreen } from '../orders/orders-screen.tsx';
import { Waiting } from '../parts/state.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { PayoutsScreen } from '../payouts/payouts-screen.tsx';
import { SubscriptionsScreen } from '../subscriptions/subscriptions-screen.tsx';
import { WebhookScreen } from '../webhooks/webhook-screen.tsx';
import { WebhooksScreen } from '../webhooks/webhooks-screen.tsx';

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
