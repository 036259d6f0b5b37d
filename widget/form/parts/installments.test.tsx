// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import { renderCheckout } from '../render.tsx';
import { approved, fake, json, open, pay, start } from '../testing.tsx';

const plans = [
  { installments: '1', total: '129.90' },
  { installments: '3', each: '43.30' },
  { installments: '6', installments_id: 'six', each: '22.95', total: '137.70' },
];
const rows = () =>
  [...document.querySelectorAll('[name=installments]')].map((radio) => {
    const label = radio.closest('label');
    return [...(label?.querySelectorAll('span, b') ?? [])].map((part) => part.textContent);
  });
const chosen = () => document.querySelector<HTMLInputElement>('[name=installments]:checked')?.value;
const nextToButton = () => document.querySelector('.plan')?.textContent;
const many = Array.from({ length: 7 }, (_, index) => ({
  installments: String(index + 1),
  each: '50.00',
  total: '150',
}));

describe('installment plans', () => {
  it('show total and extra cost, and mark the interest-free and cheapest', async () => {
    await start({ installment_options: plans });
    expect(rows()).toEqual([
      ['1×', 'R$129.90 in total', en.form.installments_cheapest],
      ['3× R$43.30', 'R$129.90 in total', en.form.installments_free],
      ['6× R$22.95', 'R$137.70 in total, R$7.80 extra'],
    ]);
  });

  it('appear beside the button once chosen, except a plain payment', async () => {
    await start({ installment_options: plans });
    expect(nextToButton()).toBeUndefined();
    await userEvent.click(screen.getByRole('radio', { name: /^6×/ }));
    expect(nextToButton()).toBe('6× R$22.95, R$137.70 in total, R$7.80 extra');
    await userEvent.click(screen.getByRole('radio', { name: /^3×/ }));
    expect(nextToButton()).toBe('3× R$43.30, R$129.90 in total');
  });

  it('are marked interest-free and cheapest when they cost less than the amount', async () => {
    const cheaper = [
      { installments: '1', total: '129.90' },
      { installments: '2', each: '60.00' },
    ];
    await start({ installment_options: cheaper });
    expect(rows()[1]).toEqual([
      '2× R$60.00',
      'R$120.00 in total',
      `${en.form.installments_free}, ${en.form.installments_cheapest}`,
    ]);
  });

  it('of more than six become a list with the same texts', async () => {
    await start({ installment_options: many.map((plan) => ({ ...plan, total: '150.00' })) });
    const list = screen.getByLabelText<HTMLSelectElement>(en.form.installments);
    expect(list.options[6]?.textContent).toBe('7× R$50.00, R$150.00 in total, R$20.10 extra');
    await userEvent.selectOptions(list, '6');
    expect(nextToButton()).toBe('7× R$50.00, R$150.00 in total, R$20.10 extra');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ installments: '7' }));
  });

  it.each([
    ['radios', plans],
    ['a list', [...plans, ...many]],
  ])('as %s show the last try’s plan, which loads after startup', async (_, installment_options) => {
    await start({ installment_options, prefill: { installments: '2' } });
    const list = () => document.querySelector<HTMLSelectElement>('#field-installments')?.value;
    await waitFor(() => expect(chosen() ?? list()).toBe('2'));
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ installments: '6', installments_id: 'six' }));
  });

  it('stay with the first plan if untouched, wherever the shop moves it', async () => {
    const checkout = await start({ installment_options: plans });
    fake.view = { ...fake.view, revision: 2, installment_options: [...plans].reverse() };
    await checkout.refresh();
    await waitFor(() => expect(chosen()).toBe('2'));
  });

  it('cost what they do in a currency of three decimals', async () => {
    await start({
      currency: 'KWD',
      amount: '10.500',
      installment_options: [
        { installments: '1' },
        { installments: '3', each: '3.50' },
        { installments: '4', each: '2.63', total: '10.520' },
        { installments: '6', each: '1.751' },
      ],
    });
    expect(screen.getByRole('button').textContent).toBe('Pay KWD\u00a010.500');
    expect(rows().map((row) => row.join(' | ').replaceAll('\u00a0', ' '))).toEqual([
      '1×',
      `3× KWD 3.500 | KWD 10.500 in total | ${en.form.installments_free}`,
      '4× KWD 2.630 | KWD 10.520 in total, KWD 0.020 extra',
      '6× KWD 1.751 | KWD 10.506 in total, KWD 0.006 extra',
    ]);
  });

  it('are shown in the shopper’s own digits', () => {
    const view = { ...open, installment_options: [{ installments: '3', each: '43.30', total: '129.90' }] };
    const { body } = renderCheckout({ view, locales: ['de-DE'], allowed_origins: [] });
    expect(body).toContain('43,30');
  });
});
