import { describe, expect, it } from 'vitest';
import { findLanguage, languages } from './languages.ts';
import { sayIn } from './messages.ts';
import { negotiate, wellFormed } from './negotiate.ts';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe.each(Object.entries(languages))('the texts in %s', (_, messages) => {
  it('have the same keys as English', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(languages.en).sort());
  });

  it.each(Object.entries(languages.en))('has the same placeholders in %s', (key, english) => {
    const text = Object.entries(messages).find(([name]) => name === key)?.[1] ?? '';
    expect(text).not.toBe('');
    expect(placeholders(text)).toEqual(placeholders(english));
  });
});

describe('negotiate', () => {
  const available = ['en', 'pt-BR', 'es-419'] as const;
  it.each([
    [['pt-BR'], 'pt-BR'],
    [['pt-PT'], 'pt-BR'],
    [['PT-br'], 'pt-BR'],
    [['es'], 'es-419'],
    [['es-MX', 'en'], 'es-419'],
    [['en-GB'], 'en'],
    [['ja', 'pt'], 'pt-BR'],
    [['ja'], 'en'],
    [['not a tag!', 'es'], 'es-419'],
    [[], 'en'],
  ])('for %j finds %s', (wishes, found) => expect(negotiate(wishes, [...available])).toBe(found));

  it('keeps only well-formed wishes', () => expect(wellFormed(['x_', 'PT-br'])).toEqual(['pt-BR']));
});

it('fills placeholders, and leaves none', () => {
  const say = sayIn(findLanguage(['pt']).messages);
  expect(say('pay', { amount: 'R$ 1,00' })).toBe('Pagar R$ 1,00');
});
