import { changeOrder, readOrder } from '../shop.js';

const order = readOrder();
const checkout = document.querySelector('turnpike-checkout');
const output = document.querySelector('output');
let tins = 1;

checkout.variables = { '--turnpike-radius': '10px' };

checkout.addEventListener('result', ({ detail }) => {
  output.textContent = `${detail.order_no}: ${detail.status}`;
});
checkout.addEventListener('error', ({ detail }) => {
  output.textContent = detail.message;
});

for (const name of ['locale', 'theme']) {
  document.getElementById(name).addEventListener('change', ({ target }) => checkout.setAttribute(name, target.value));
}

document.getElementById('more').addEventListener('click', async () => {
  await changeOrder(order, tins + 1);
  tins += 1;
  checkout.update?.();
});
