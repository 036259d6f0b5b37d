// @vitest-environment jsdom
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fake, field, open, start } from '../testing.tsx';
import { sendFocusEvents } from './focus-events.ts';

const heard = (...types: string[]) => fake.posted.filter(({ type }) => types.includes(type));

describe('the events for the shop’s page about a shopper', () => {
  it('report each field that they enter and leave, and Escape', async () => {
    sendFocusEvents(document, await start({ collect: ['birth_date'] }));
    await userEvent.click(field(/card number/i));
    await userEvent.tab();
    document.getElementById('field-birth_date-day')?.focus();
    await userEvent.keyboard('{Escape}');
    const detail = (name: string) => ({ detail: { field: name } });
    expect(heard('focus', 'blur', 'escape').slice(0, 4)).toEqual([
      { type: 'focus', ...detail('card') },
      { type: 'blur', ...detail('card') },
      { type: 'focus', ...detail('expiry') },
      { type: 'blur', ...detail('expiry') },
    ]);
    expect(heard('focus').at(-1)).toEqual({ type: 'focus', ...detail('birth_date') });
    expect(heard('escape')).toEqual([{ type: 'escape' }]);
  });

  it('is no change before the shopper changes anything', async () => {
    const known = { prefill: { first_name: 'Ada', last_name: 'Byron' } };
    const checkout = await start(known);
    fake.view = { ...open, ...known, revision: 2, methods: [{ type: 'apm', payment_method: 'PIX', label: 'Pix' }] };
    await checkout.refresh();
    await userEvent.tab();
    expect(heard('change')).toEqual([]);
  });

  it('is the first change, and each that differs', async () => {
    await start();
    await userEvent.click(field(/card number/i));
    await userEvent.tab();
    expect(heard('change')).toEqual([]);
    await userEvent.type(field(/card number/i), '4111');
    expect(heard('change')).toEqual([
      { type: 'change', detail: { complete: false, payment_method: 'card', brand: 'visa' } },
    ]);
  });
});
