// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sampleNumbers, TEST_CARDS } from '../../../test/support/payments/sample-numbers.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { approved, button, fake, field, fillCard, json, open, start } from '../testing.tsx';

const collect = ['document', 'email', 'phone'];

/** Types into a field of the form, and goes on to the next. */
async function fill(name: RegExp, value: string): Promise<void> {
  await userEvent.click(field(name));
  await userEvent.paste(value);
  await userEvent.tab();
}

const LABELS: Readonly<Record<string, RegExp>> = {
  document: /^(document|cpf)/i,
  shopper_email: /email/i,
  shopper_phone: /phone/i,
};
const GROUPS: Readonly<Record<string, string>> = {
  document: 'document',
  shopper_email: 'email',
  shopper_phone: 'phone',
};

/** The samples of each field in each country: a form shows them one after the other, and the last is paid with. */
const groups = Object.groupBy(sampleNumbers, ({ country, path }) => `${country}: ${path}`);

describe('sample numbers are paid with', () => {
  it.each(Object.entries(groups))('of %s', async (_, samples = []) => {
    const [{ currency, path } = { currency: '', path: '' }] = samples;
    await start({ ...open, currency, collect: [GROUPS[path] ?? ''] });
    fake.answers = [() => json(approved)];
    for (const { value } of samples) {
      await userEvent.clear(field(LABELS[path] ?? /none/));
      await fill(LABELS[path] ?? /none/, value);
      expect(document.getElementById(`error-${path}`)?.textContent, value).toBe('');
    }
    await fillCard();
    await userEvent.click(button());
    await waitFor(() => expect(fake.paid[0]?.body).toHaveProperty(path));
  });
});

describe.each(TEST_CARDS)('the test card %s', (card) => {
  it('is refused in every other field while it is paid with', async () => {
    await start({ ...open, currency: 'GBP', collect: [...collect, 'delivery_address'] });
    await fillCard(card);
    await fill(/^document/i, card);
    await fill(/email/i, `${card}@example.com`);
    await fill(/phone/i, card);
    await fill(/^address/i, `Box ${card}`);
    await fill(/last name/i, card);
    await userEvent.clear(field(/name on card/i));
    await fill(/name on card/i, card);
    await userEvent.click(button());
    const errors = ['document', 'shopper_email', 'shopper_phone', 'delivery_address', 'delivery_lastname', 'name'].map(
      (name) => document.getElementById(`error-${name}`)?.textContent,
    );
    expect(errors).toEqual([...new Array(4).fill(en.fields.card_in_field), en.form.name_invalid, en.form.name_invalid]);
    expect(fake.paid).toEqual([]);
  });

  it('is accepted as a document beside another card, and refused in addresses', async () => {
    await start({ ...open, currency: 'GBP', collect: ['document', 'delivery_address'] });
    await fill(/^document/i, card);
    await fill(/^address/i, `Box ${card}`);
    expect(document.getElementById('error-document')?.textContent).toBe('');
    expect(screen.getAllByText(en.fields.card_in_field)).toHaveLength(1);
  });
});
