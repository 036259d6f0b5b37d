import { randomBytes } from 'node:crypto';
import Link from 'next/link';
import { connection } from 'next/server';
import { createClient } from 'turnpike/client';
import { Checkout } from './checkout.jsx';

/** Rendered on the server, for each visit an order of its own. */
export default async function Pay() {
  await connection();
  const { client_secret, checkout_url } = await openCheckout();
  return (
    <main>
      {/* React puts it into the head, once. */}
      <script async src={`${process.env.TURNPIKE_URL}/turnpike.js`} />
      <h1>Your order</h1>
      <Checkout session={client_secret}>
        <a href={checkout_url}>Pay here</a>
      </Checkout>
      <Link href="/">Back to the shop</Link>
    </main>
  );
}

function openCheckout() {
  const turnpike = createClient({ url: process.env.TURNPIKE_URL, apiKey: process.env.TURNPIKE_API_KEY });
  const order_no = `EX-${randomBytes(5).toString('hex').toUpperCase()}`;
  const items = [{ name: 'Serra Verde', code: 'TEA-SERRA-100', price: '65.00', quantity: 1 }];
  return turnpike.sessions.create({ order: { order_no, currency: 'BRL', amount: '65.00', items } });
}
