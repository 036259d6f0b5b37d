import { describe, expect, it } from 'vitest';
import { localeWishes } from './locales.ts';

describe('the shopper’s languages', () => {
  it('come from the address, then the shop, then the browser by weight', () => {
    expect(localeWishes('pt-BR', 'es', 'en;q=0.5, fr, de;q=0')).toEqual(['pt-BR', 'es', 'fr', 'en']);
  });

  it('leave out what is no language tag', () => {
    expect(localeWishes('<script>', undefined, '*, en')).toEqual(['en']);
    expect(localeWishes(['en'], undefined, undefined)).toEqual([]);
  });
});
