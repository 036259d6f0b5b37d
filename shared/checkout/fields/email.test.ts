import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/time/cpu-time.ts';
import { emailSuggestion, isEmail, writeEmail } from './email.ts';

it.each([
  'ada@example.com',
  'ada.byron+shop@mail.example.co.uk',
  "o'neill@example.ie",
  '用户@例え.jp',
  'ada@xn--bcher-kva.example',
  'a@b.museum',
  `ada.byron!#$%&'*+/=?^_{|}~-@example.com`,
  `${'a'.repeat(64)}@example.com`,
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
  'ada..byron@example.com',
  '.ada@example.com',
  'ada.@example.com',
  'ada,byron@example.com',
  'ada;byron@example.com',
  'mailto:ada@example.com',
  '<ada@example.com>',
  'ada\u0000@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a'.repeat(250)}.com`,
])('%s is none', (text) => expect(isEmail(text)).toBe(false));

it('checks a text that is almost an address without slowing down', () => {
  const took = cpuMs(() => {
    isEmail(`a@${'a-'.repeat(100)}!`);
    isEmail(`a@${'a.'.repeat(120)}!`);
    isEmail(`${'a.'.repeat(32)}@`);
    writeEmail(`${'mailto:'.repeat(200)}\n<`);
  });
  expect(took).toBeLessThan(100);
});

it('writes the domain in small letters, and nothing else', () => {
  expect(writeEmail('Ada.Byron@Example.COM')).toBe('Ada.Byron@example.com');
});

it.each([
  'ada\u200b@example.com',
  '\ufeffada@example.com\u2060',
  '\u202aada@exam\u00adple.com\u202c',
  'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
  'ada@example。com',
  'mailto:ada@example.com',
  'MAILTO:ada@example.com?subject=Tea',
  '<ada@example.com>',
  '<mailto:ada@example.com>',
  'Ada Byron <ada@example.com>',
])('writes %j as the address that it is', (text) => {
  expect(writeEmail(text)).toBe('ada@example.com');
  expect(writeEmail(writeEmail(text))).toBe('ada@example.com');
});

it('makes no address of two', () => {
  expect(isEmail(writeEmail('<ada@example.com>, <bob@example.com>'))).toBe(false);
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
