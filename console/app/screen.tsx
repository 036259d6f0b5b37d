import { OrderScreen } from '../order/order-screen.tsx';
import { OrdersScreen } from '../orders/orders-screen.tsx';
import { useApp } from './app.ts';
import { Link } from './link.tsx';

/** The screen of the route. */
export function Screen() {
  const { route, words } = useApp();
  switch (route.page) {
    case 'needs_you':
      return <OrdersScreen filter={new URLSearchParams()} />;
    case 'orders':
      return <OrdersScreen filter={route.filter} />;
    case 'order':
      return <OrderScreen key={route.orderNo} orderNo={route.orderNo} />;
    case 'operation':
    case 'webhooks':
    case 'audit':
    case 'nowhere':
      return (
        <div class="empty">
          <p>{words.nowhere}</p>
          <Link to={{ page: 'orders', filter: new URLSearchParams() }}>{words.pages.orders}</Link>
        </div>
      );
  }
}
