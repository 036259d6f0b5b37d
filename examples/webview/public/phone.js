const screen = document.querySelector('iframe');
const messages = document.getElementById('messages');
const output = document.querySelector('output');
let order;

/** Handles a message of the web view: `{ channel, type, detail }` as JSON text. */
async function hear(text) {
  const { channel, type, detail } = JSON.parse(text);
  if (channel !== 'turnpike') return;
  const line = document.createElement('li');
  line.textContent = `${type} ${detail ? JSON.stringify(detail) : ''}`;
  messages.append(line);
  if (type !== 'result') return;
  // A result is only a hint: the app asks its own server for the state of the order.
  const { status, order_no } = await (await fetch(`/orders/${order.id}`)).json();
  output.textContent = `${order_no}: ${status}`;
}

/** The screen finds this as `window.ReactNativeWebView`. On iOS it would be `webkit.messageHandlers.turnpike`, on Android `TurnpikeAndroid`. */
window.app = { postMessage: hear };

document.getElementById('buy').addEventListener('click', async () => {
  order = await (await fetch('/orders', { method: 'POST' })).json();
  messages.replaceChildren();
  output.textContent = 'an open order';
  screen.src = `/screen?${order.id}#${order.client_secret}`;
});
