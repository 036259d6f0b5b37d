// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../../locales/en.json' with { type: 'json' };
import { approved, bootOf, button, fake, field, json, open, pay, problem, start } from '../../testing.tsx';
import { dateOrder } from './birth-date.tsx';

describe('a birth date', () => {
  const part = (name: string) => field(new RegExp(name, 'i'));
  const order = () =>
    screen
      .getAllByRole('textbox')
      .map((input) => input.getAttribute('autocomplete') ?? '')
      .filter((token) => token.startsWith('bday'));

  it.each([
    ['en-US', ['bday-month', 'bday-day', 'bday-year']],
    ['pt-BR', ['bday-day', 'bday-month', 'bday-year']],
    ['ja', ['bday-year', 'bday-month', 'bday-day']],
    ['ar-EG', ['bday-day', 'bday-month', 'bday-year']],
    ['th', ['bday-day', 'bday-month', 'bday-year']],
    ['th-TH-u-ca-buddhist', ['bday-day', 'bday-month', 'bday-year']],
  ])('has the order of %s', async (locale, tokens) => {
    const checkout = await start({ collect: ['birth_date'] });
    checkout.setLocale({ ...bootOf({ ...open, collect: ['birth_date'] }), locale });
    await waitFor(() => expect(order()).toEqual(tokens));
  });

  it('moves on from each full part, and is sent day first', async () => {
    await start({ collect: ['birth_date'] });
    await userEvent.type(part('month'), '12');
    expect(document.activeElement).toBe(part('day'));
    await userEvent.keyboard('101985');
    expect(part('year').value).toBe('1985');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ birth_date: '10-12-1985' }));
  });

  it('moves back from an empty part, and pads one digit on blur', async () => {
    await start({ collect: ['birth_date'] });
    await userEvent.type(part('month'), '2');
    await userEvent.tab();
    await userEvent.keyboard('{Backspace}');
    expect(document.activeElement).toBe(part('month'));
    expect(part('month').value).toBe('2');
    await userEvent.click(button());
    expect(part('month').value).toBe('02');
  });

  it.each([
    ['en-US', '1985-12-10', '10-12-1985'],
    ['en-US', '12/10/1985', '10-12-1985'],
    ['en-US', '12101985', '10-12-1985'],
    ['pt-BR', '10121985', '10-12-1985'],
    ['pt-BR', '1985-12-10', '10-12-1985'],
    ['ja', '19851210', '10-12-1985'],
    ['ja', '１９８５年１２月１０日', '10-12-1985'],
    ['ja', '12/10/1985', '10-12-1985'],
  ])('in the order of %s is filled whole when %s is pasted', async (locale, text, held) => {
    const shown = { ...open, collect: ['birth_date'] };
    const checkout = await start(shown);
    checkout.setLocale({ ...bootOf(shown), locale });
    const shownDate = () => [part('day').value, part('month').value, part('year').value];
    const first = part(dateOrder(locale)[0] ?? '');
    await userEvent.type(first, '0');
    await userEvent.paste(text);
    expect(checkout.state.values.birth_date).toBe(held);
    expect(shownDate()).toEqual(['10', '12', '1985']);
    checkout.type('birth_date', '');
    await waitFor(() => expect(shownDate()).toEqual(['', '', '']));
    fireEvent.input(first, { target: { value: text } });
    expect(checkout.state.values.birth_date).toBe(held);
    expect(shownDate()).toEqual(['10', '12', '1985']);
  });

  it('that is pasted in part does not change its other parts', async () => {
    const checkout = await start({ collect: ['birth_date'] });
    part('month').focus();
    await userEvent.paste('12');
    expect(checkout.state.values.birth_date).toBe('-12-');
  });

  it.each([
    ['02311985', en.fields.date_invalid],
    ['12102045', en.fields.date_future],
    ['12101845', en.fields.date_far],
    ['1210', en.fields.date_incomplete],
  ])('says one thing of %s', async (digits, text) => {
    await start({ collect: ['birth_date'] });
    await userEvent.type(part('month'), digits);
    expect(screen.queryByText(text)).toBeNull();
    await userEvent.click(button());
    expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getByRole('group', { name: /birth/i }).getAttribute('aria-describedby')).toBe('error-birth_date');
  });

  it('with a Buddhist year is converted, and later shown as sent', async () => {
    const checkout = await start({ collect: ['birth_date'] });
    await userEvent.type(part('month'), '12102530');
    expect(part('year').value).toBe('2530');
    expect(checkout.state.values.birth_date).toBe('10-12-1987');
    await userEvent.click(button());
    expect(part('year').value).toBe('1987');
    expect(screen.queryByText(en.fields.date_future)).toBeNull();
  });

  it('that is refused focuses its first part', async () => {
    await start({ collect: ['birth_date'], prefill: { birth_date: '10-12-1985' } });
    expect(part('day').value).toBe('10');
    fake.answers = [problem(400, 'invalid_request', [{ path: 'birth_date', message: '' }])];
    await pay();
    await screen.findByText(en.form.field_invalid);
    await waitFor(() => expect(document.activeElement).toBe(part('month')));
  });
});
