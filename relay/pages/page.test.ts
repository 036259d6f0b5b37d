import { describe, expect, it } from 'vitest';
import { requestedLocales } from './page.ts';

describe('the shopper’s languages', () => {
  it('come from the address, then the shop, then the browser by weight', () => {
    expect(requestedLocales('pt-BR', 'es', 'en;q=0.5, fr, de;q=0')).toEqual(['pt-BR', 'es', 'fr', 'en']);
  });

  it('are in the browser’s own order where it weighs them alike', () => {
    expect(requestedLocales(undefined, undefined, 'fr-CH, fr;q=0.9, en;Q=0.8, de;q=0.8, *;q=0.5')).toEqual([
      'fr-CH',
      'fr',
      'en',
      'de',
    ]);
  });

  it('may be written as apps write them', () => {
    expect(requestedLocales('pt_BR', 'zh_Hant_TW', undefined)).toEqual(['pt-BR', 'zh-Hant-TW']);
  });

  it('leave out a weight that is none', () => {
    expect(requestedLocales(undefined, undefined, 'fr;q=much, en;q=0.1')).toEqual(['en']);
  });

  it('leave out what is no language tag', () => {
    expect(requestedLocales('<script>', undefined, '*, en')).toEqual(['en']);
    expect(requestedLocales(['en'], undefined, undefined)).toEqual([]);
  });
});
