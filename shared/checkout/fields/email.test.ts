import { describe, expect, it } from 'vitest';
import { emailSuggestion, isEmail, writeEmail } from './email.ts';

it.each([
  'ada@example.com',
  'ada.byron+shop@mail.example.co.uk',
  "o'neill@example.ie",
  '用户@例え.jp',
  'ada@xn--bcher-kva.example',
  'a@b.museum',
])('%s is an e-mail address', (text) => expect(isEmail(text)).toBe(true));

it.each([
  'ada',
  'ada@example',
  '@example.com',
  'ada@example.com.',
  'ada@.com',
  'ada@example..com',
  'ada@-example.com',
  'ada byron@example.com',
  'ada@exa mple.com',
  'ada@@example.com',
  'ada@example.com, bob@example.com',
  'ada@127.0.0.1',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a'.repeat(250)}.com`,
])('%s is none', (text) => expect(isEmail(text)).toBe(false));

it('takes as long for a text that is almost an address as for one that is', () => {
  const started = performance.now();
  isEmail(`a@${'a-'.repeat(100)}!`);
  isEmail(`a@${'a.'.repeat(120)}!`);
  expect(performance.now() - started).toBeLessThan(100);
});

it('writes the domain in small letters, and nothing else', () => {
  expect(writeEmail('Ada.Byron@Example.COM')).toBe('Ada.Byron@example.com');
});

describe('a slip of the finger', () => {
  it.each([
    ['ada@gmial.com', 'ada@gmail.com'],
    ['ada@gmai.com', 'ada@gmail.com'],
    ['ada@gmaill.com', 'ada@gmail.com'],
    ['ada@gnail.com', 'ada@gmail.com'],
    ['ada@gmail.con', 'ada@gmail.com'],
    ['ada@gmail.co', 'ada@gmail.com'],
    ['ada@gmial.con', 'ada@gmail.com'],
    ['ada@hotmial.com', 'ada@hotmail.com'],
    ['ada@outlok.com', 'ada@outlook.com'],
    ['ada@yaho.com.br', 'ada@yahoo.com.br'],
    ['ada@outlook.con.br', 'ada@outlook.com.br'],
    ['Ada@Shop.Con', 'Ada@shop.com'],
  ])('in %s means %s', (typed, meant) => expect(emailSuggestion(typed)).toBe(meant));

  it.each([
    'ada@gmail.com',
    'ada@mail.com',
    'ada@ymail.com',
    'ada@yahoo.fr',
    'ada@shop.cn',
    'ada@company.co',
    'ada',
    'a@b@gmial.com',
    '',
  ])('is not seen in %j', (typed) => expect(emailSuggestion(typed)).toBeUndefined());
});
