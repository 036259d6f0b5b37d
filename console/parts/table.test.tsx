// @vitest-environment jsdom
import { render } from 'preact';
import { afterEach, expect, it } from 'vitest';
import { column, Table } from './table.tsx';

afterEach(() => render(null, document.body));

it('handles the keys of its rows once it is rendered', () => {
  const link = column<string>('what', 'Order', (order) => (
    <a href={`#${order}`} class="row-link">
      {order}
    </a>
  ));
  // Without `act`: it would run effects that a browser runs only after the paint.
  render(<Table class="orders" columns={[link]} entries={['A-1', 'A-2']} keyOf={(order) => order} />, document.body);
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
  expect(document.activeElement?.textContent).toBe('A-1');
});
