// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import { approved, bootOf, button, fake, field, json, open, pay, pix, problem, start } from '../testing.tsx';

describe('an e-mail address', () => {
  it('that looks mistyped is corrected by a press, and never blocks payment', async () => {
    await start({ collect: ['email'] });
    await userEvent.type(field(/email/i), 'ada@gmial.com');
    expect(screen.queryByText(/did you mean/i)).toBeNull();
    await userEvent.tab();
    await userEvent.click(screen.getByRole('button', { name: 'Did you mean ada@gmail.com?' }));
    expect(field(/email/i).value).toBe('ada@gmail.com');
    expect(document.activeElement).toBe(field(/email/i));
    expect(screen.queryByText(/did you mean/i)).toBeNull();
  });

  it('may stay as it was typed', async () => {
    await start({ collect: ['email'] });
    await userEvent.type(field(/email/i), 'ada@gmial.com');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ shopper_email: 'ada@gmial.com' }));
  });

  it('is refused if it is invalid, once its field is left', async () => {
    await start({ collect: ['email'] });
    await userEvent.type(field(/email/i), 'ada');
    expect(screen.queryByText(en.fields.email_invalid)).toBeNull();
    await userEvent.tab();
    expect(screen.getByText(en.fields.email_invalid)).toBeTruthy();
  });
});

describe('a telephone number', () => {
  const phone = () => field(/phone/i);
  const dial = () => screen.getByRole<HTMLSelectElement>('combobox', { name: en.fields.calling_code });

  it('is formatted for its country while typed, and sent in E.164', async () => {
    await start({ collect: ['phone'] });
    await userEvent.type(phone(), '11961234567');
    await waitFor(() => expect(phone().value).toBe('(11) 96123-4567'));
    expect(dial().selectedOptions[0]?.textContent).toBe('Brazil +55');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ shopper_phone: '+5511961234567' }));
  });

  it('may be another country’s, chosen', async () => {
    await start({ collect: ['phone'] });
    await userEvent.selectOptions(dial(), 'GB');
    await userEvent.type(phone(), '07400123456');
    await waitFor(() => expect(phone().value).toBe('07400 123456'));
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ shopper_phone: '+447400123456' }));
  });

  it('may use another country’s calling code, which moves to the code field', async () => {
    await start({ collect: ['phone'] });
    await userEvent.type(phone(), '+351912345678');
    expect(dial().value).toBe('PT');
    await userEvent.tab();
    await waitFor(() => expect(phone().value).toBe('912 345 678'));
    expect(dial().value).toBe('PT');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ shopper_phone: '+351912345678' }));
  });

  it('that the shop knows is shown in its country’s format', async () => {
    await start({ collect: ['phone'], prefill: { shopper_phone: '+16135550123' } });
    await waitFor(() => expect(phone().value).toBe('(613) 555-0123'));
    expect(dial().value).toBe('CA');
  });

  it('keeps its country when that of the address changes', async () => {
    const checkout = await start({ collect: ['phone', 'billing_address'] });
    await userEvent.type(phone(), '11961234567');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Country' }), 'US');
    expect(dial().value).toBe('BR');
    await userEvent.clear(phone());
    expect(checkout.parts?.requestOf(checkout)).not.toHaveProperty('shopper_phone');
  });

  it('has the locale’s country if the currency has none', async () => {
    const shown = { ...open, collect: ['phone'], currency: 'EUR' };
    const checkout = await start(shown);
    checkout.setLocale({ ...bootOf(shown), locale: 'de-DE' });
    await userEvent.type(phone(), '030123456');
    await waitFor(() => expect(phone().value).toBe('030 123456'));
    expect(dial().value).toBe('DE');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ shopper_phone: '+4930123456' }));
  });

  it.each([
    ['AU', '00115511961234567', 'BR', '(11) 96123-4567'],
    ['AU', '0044 7400123456', 'GB', '07400 123456'],
    ['US', '0115511961234567', 'BR', '(11) 96123-4567'],
    ['JP', '0105511961234567', 'BR', '(11) 96123-4567'],
    ['BR', '0011447400123456', 'GB', '07400 123456'],
    ['BR', '0012015550123', 'US', '(201) 555-0123'],
    ['BR', '011961234567', 'BR', '011961234567'],
  ])('is recognised as foreign or domestic when dialled from %s: %s', async (home, typed, country, shown) => {
    await start({ collect: ['phone'] });
    await userEvent.selectOptions(dial(), home);
    await userEvent.type(phone(), typed);
    await userEvent.tab();
    await waitFor(() => expect([dial().value, phone().value]).toEqual([country, shown]));
    await waitFor(() => expect(screen.queryByText(en.fields.phone_invalid)).toBeNull());
  });

  it('of an unknown country needs its country, or its calling code', async () => {
    await start({ collect: ['phone'], currency: 'USD' });
    await userEvent.type(phone(), '2015550123');
    await userEvent.tab();
    await screen.findByText(en.fields.choice_missing);
    expect(dial().getAttribute('aria-invalid')).toBe('true');
    await userEvent.selectOptions(dial(), 'US');
    await waitFor(() => expect(screen.queryByText(en.fields.choice_missing)).toBeNull());
    await userEvent.clear(phone());
    await userEvent.type(phone(), '+1 201 555 0123');
    await userEvent.tab();
    expect(screen.queryByText(en.fields.choice_missing)).toBeNull();
  });

  it('that is too short is refused', async () => {
    await start({ collect: ['phone'] });
    await userEvent.type(phone(), '1196');
    await userEvent.tab();
    await screen.findByText(en.fields.phone_invalid);
  });

  it('keeps its caret where the shopper types', async () => {
    await start({ collect: ['phone'] });
    await userEvent.type(phone(), '1196123456');
    await waitFor(() => expect(phone().value).toBe('(11) 96123-456'));
    await userEvent.type(phone(), '7', { initialSelectionStart: 6, initialSelectionEnd: 6 });
    expect(phone().value).toBe('(11) 97612-3456');
    expect(phone().selectionStart).toBe(7);
  });
});

describe('a document', () => {
  it('has its country’s name and format, and is sent without dots', async () => {
    await start({ collect: ['document'] });
    const number = field(/CPF/);
    await userEvent.type(number, '52998224725');
    expect(number.value).toBe('529.982.247-25');
    await userEvent.clear(number);
    await userEvent.type(number, '12abc34501de35');
    expect(number.value).toBe('12.ABC.345/01DE-35');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ document: '12ABC34501DE35' }));
  });

  it('with a wrong character is refused, and corrected in its middle', async () => {
    await start({ collect: ['document'] });
    const number = field(/CPF/);
    await userEvent.type(number, '12ABD34501DE35');
    await userEvent.tab();
    expect(screen.getByText(en.fields.document_invalid)).toBeTruthy();
    await userEvent.type(number, '{Backspace}', { initialSelectionStart: 6, initialSelectionEnd: 6 });
    await userEvent.keyboard('C');
    expect(number.value).toBe('12.ABC.345/01DE-35');
    expect(number.selectionStart).toBe(6);
    expect(screen.queryByText(en.fields.document_invalid)).toBeNull();
  });

  it('is checked again as another country is chosen', async () => {
    await start({ collect: ['document', 'billing_address'] });
    await userEvent.type(field(/CPF/), '925665416');
    await userEvent.tab();
    expect(screen.getByText(en.fields.document_incomplete)).toBeTruthy();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Country' }), 'GB');
    expect(screen.queryByText(en.fields.document_incomplete)).toBeNull();
  });

  it('has its plain name where we do not know the country’s', async () => {
    await start({ collect: ['document'], currency: 'KES' });
    await userEvent.type(field(/document number/i), 'ab-12');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ document: 'ab-12' }));
  });
});

describe('a method’s own fields', () => {
  const asking = (...fields: string[]) => ({ methods: [{ ...pix, fields }] });
  const redirect = () => json({ status: 'redirect', redirect_url: 'https://pay.example/x' });

  it('that repeat a shopper field may stay empty, and send its value', async () => {
    const person = ['person.email', 'person.birth_date', 'person.document_number'];
    await start({ ...asking(...person), collect: ['email', 'birth_date', 'document'] });
    const [email, ownEmail] = screen.getAllByRole('textbox', { name: /email/i });
    expect(email?.getAttribute('aria-required')).toBe('true');
    expect(ownEmail?.getAttribute('aria-required')).toBe('false');
    await userEvent.type(field(/^email$/i), 'ada@example.com');
    await userEvent.type(field(/^CPF . CNPJ$/), '52998224725');
    await userEvent.type(screen.getAllByRole('textbox', { name: 'Month' })[0] ?? document.body, '12101985');
    await userEvent.type(field(/^CPF.*optional/), '12ABC34501DE35');
    fake.answers = [redirect];
    await userEvent.click(button());
    await waitFor(() =>
      expect(fake.paid[0]?.body).toMatchObject({
        shopper_email: 'ada@example.com',
        person: { email: 'ada@example.com', birth_date: '10-12-1985', document_number: '12ABC34501DE35' },
      }),
    );
  });

  it('of a document of a certain type are another document', async () => {
    await start({ ...asking('person.document_type', 'person.document_number'), collect: ['document'] });
    expect(screen.getAllByRole('textbox', { name: /^CPF . CNPJ$/ })).toHaveLength(2);
  });

  it('are asked once when the shop collects them too, with whole objects', async () => {
    await start({ ...asking('shopper_email', 'person.documents.labels.bank_account.bank'), collect: ['email'] });
    expect(screen.getAllByLabelText('Email').length).toBe(1);
    await userEvent.type(field(/email/i), 'ada@example.com');
    await userEvent.type(field(/bank code/i), '001');
    await userEvent.type(field(/bank name/i), 'Banco do Brasil');
    fake.answers = [redirect];
    await userEvent.click(button());
    await waitFor(() =>
      expect(fake.paid[0]?.body).toMatchObject({
        shopper_email: 'ada@example.com',
        person: { documents: { labels: { bank_account: { bank: { code: '001', name: 'Banco do Brasil' } } } } },
      }),
    );
  });

  it('show an address like a collected one', async () => {
    await start(asking('person.address_country', 'person.address_postal_code', 'person.address_state'));
    await userEvent.type(field(/postal code/i), '01310100');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'SP');
    fake.answers = [redirect];
    await userEvent.click(button());
    await waitFor(() =>
      expect(fake.paid[0]?.body.person).toEqual({
        address_country: 'BR',
        address_postal_code: '01310-100',
        address_state: 'SP',
      }),
    );
  });

  it('keep a state that the method requires if addresses have none', async () => {
    await start({ ...asking('billing_country', 'billing_state'), currency: 'GBP' });
    await userEvent.type(field(/state/i), 'Kent');
    fake.answers = [redirect];
    await userEvent.click(button());
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ billing_country: 'GB', billing_state: 'Kent' }));
  });

  it('that are prefilled with the shopper’s name show refusals', async () => {
    await start({ ...asking('first_name', 'last_name'), prefill: { first_name: 'Ada', last_name: 'Byron' } });
    expect(field(/first name/i).value).toBe('Ada');
    fake.answers = [problem(400, 'invalid_request', [{ path: 'last_name', message: '' }])];
    await userEvent.click(button());
    await screen.findByText(en.form.field_invalid);
    await waitFor(() => expect(document.activeElement).toBe(field(/last name/i)));
  });
});
