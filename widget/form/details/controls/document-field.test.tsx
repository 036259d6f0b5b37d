// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { countryRules } from '../../../../shared/checkout/fields/context.ts';
import { approved, fake, field, json, make, open, pay, start } from '../../testing.tsx';
import { DocumentField } from './document-field.tsx';

const asked = { collect: ['document'] };
const number = () => field(/CPF/);

it('a prefilled document is shown in local format, and sent unchanged', async () => {
  await start({ ...asked, prefill: { document: '52998224725' } });
  await waitFor(() => expect(number().value).toBe('529.982.247-25'));
  fake.answers = [() => json(approved)];
  await pay();
  await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ document: '52998224725' }));
});

it('a document stays as it is while it is being typed', async () => {
  const checkout = await start(asked);
  await userEvent.click(number());
  checkout.type('document', '52998224725');
  await waitFor(() => expect(number().value).toBe('52998224725'));
  await userEvent.tab();
  await waitFor(() => expect(number().value).toBe('529.982.247-25'));
});

it('a prefilled document is sent unchanged after its country changes', async () => {
  const checkout = await start({ collect: ['document', 'billing_address'], prefill: { document: '52998224725' } });
  await waitFor(() => expect(number().value).toBe('529.982.247-25'));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Country' }), 'KE');
  await waitFor(() => expect(field(/document number/i).value).toBe('52998224725'));
  expect(checkout.parts?.requestOf(checkout)).toMatchObject({ document: '52998224725' });
});

it.each([
  ['grows with every writing', (text: string) => `${text}0`, '52998224725'],
  ['loses what is sent', (text: string) => text.slice(0, 4), '52998224725'],
  ['goes to and fro', (text: string) => (/\D/.test(text) ? '52998224725' : '529.982.247-25'), '529.982.247-25'],
])('a document comes to rest where its way of writing %s', async (_what, format, rest) => {
  const checkout = make({ ...open, ...asked });
  const common = { label: 'document', kind: 'text', autocomplete: 'off', optional: false } as const;
  const plain = { ...common, name: 'document', format, problem: () => undefined };
  checkout.set({ values: { document: '52998224725' } });
  const form = { checkout, features: { controls: {}, rules: countryRules } };
  const { rerender } = render(<DocumentField form={form} field={plain} label="" />);
  const seen = Array.from({ length: 3 }, () => {
    rerender(<DocumentField form={form} field={plain} label="" />);
    return checkout.state.values.document;
  });
  expect(seen).toEqual([rest, rest, rest]);
});
