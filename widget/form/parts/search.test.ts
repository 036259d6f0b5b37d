import { expect, it } from 'vitest';
import { finds, plain } from './search.ts';

it.each([
  ['itau', 'Itaú Unibanco'],
  ['ITAÚ', 'itau unibanco'],
  ['brasil ban', 'Banco do Brasil S.A.'],
  ['s a', 'Banco do Brasil S.A.'],
  ['i̇ş bankasi', 'Türkiye İş Bankası'],
  ['isbank', 'İşbank'],
  ['lodz', 'Łódź Bank'],
  ['kobenhavn', 'København Bank'],
  ['strasse', 'Bank an der Straße'],
  ['ﾐﾂﾋﾞｼ', 'ミツビシ'],
  ['сбер', 'СБЕРБАНК'],
  ['국민', '국민은행'],
  ['', 'anything'],
  ['  ', 'anything'],
])('“%s” finds “%s”', (typed, text) => {
  expect(finds(typed, text)).toBe(true);
});

it.each([
  ['itaus', 'Itaú Unibanco'],
  ['banco mexico', 'Banco do Brasil'],
  ['unibanco x', 'Itaú Unibanco'],
])('“%s” does not find “%s”', (typed, text) => {
  expect(finds(typed, text)).toBe(false);
});

it('ignores accents, case and signs', () => {
  expect(plain(' Itaú–Unibanco, S.A. ')).toBe(plain('ITAU UNIBANCO S A'));
});
