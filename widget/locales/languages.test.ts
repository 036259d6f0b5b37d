import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { fieldsEn } from './fields/en.ts';
import { findLanguage, languages } from './languages.ts';
import { sayIn } from './messages.ts';
import { negotiate, wellFormed } from './negotiate.ts';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
const english = { ...en, ...fieldsEn };
const counted = Object.keys(english).flatMap((key) => (key.endsWith('_other') ? [key.slice(0, -'_other'.length)] : []));
const PLURAL = new RegExp(`^(${counted.join('|')})_(zero|one|two|few|many|other)$`);
const otherOf = (key: string) => {
  const base = PLURAL.exec(key)?.[1];
  return base ? `${base}_other` : key;
};

describe.each(Object.entries(languages))('the texts in %s', (lang, [form, fields]) => {
  const texts = new Map(Object.entries({ ...form, ...fields }));

  it('have the same keys as English, and every plural form of the language', () => {
    const forms = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
    const keys = Object.keys(english).flatMap((key) =>
      key.endsWith('_other')
        ? forms.map((category) => key.replace('_other', `_${category}`))
        : PLURAL.test(key)
          ? []
          : [key],
    );
    expect([...texts.keys()].sort()).toEqual(keys.sort());
  });

  it.each([...texts])('has the same placeholders in %s', (key, text) => {
    const model = Object.entries(english).find(([name]) => name === otherOf(key))?.[1] ?? '';
    expect(text.trim()).not.toBe('');
    if (leavesNumberOut(lang, key, text))
      expect([...placeholders(text), '{count}'].sort()).toEqual(placeholders(model));
    else expect(placeholders(text)).toEqual(placeholders(model));
  });
});

/** A plural form for one number alone may say it in words. */
function leavesNumberOut(lang: string, key: string, text: string): boolean {
  const form = PLURAL.exec(key)?.[2];
  const rules = new Intl.PluralRules(lang);
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1).filter((count) => rules.select(count) === form);
  return form !== undefined && numbers.length === 1 && !text.includes('{count}');
}

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
  const say = sayIn(findLanguage(['pt']).form);
  expect(say('pay', { amount: 'R$ 1,00' })).toBe('Pagar R$ 1,00');
});
