/** What the page's visitor may choose from, in every example. */
export const languages = ['en', 'pt-BR', 'es-419'];
export const themes = ['light', 'dark', 'light compact'];

/** The order that the shop's server has put into the page. */
export function readOrder() {
  return JSON.parse(document.getElementById('order').textContent);
}

/** Asks the shop's server to change the order. The server computes the amount. */
export async function changeOrder(order, tins) {
  const response = await fetch(`/orders/${order.id}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ tins }),
  });
  if (!response.ok) throw new Error(`The order was not changed: ${response.status}`);
}
