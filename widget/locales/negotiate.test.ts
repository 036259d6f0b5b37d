import { describe, expect, it } from 'vitest';
import { negotiator } from './languages.ts';

const available = 'en pt-BR pt-PT es-ES es-419 fr de ar he hi id zh-CN zh-TW ja ko'.split(' ');

describe('a negotiator', () => {
  it.each([
    ['as it is, in whatever case', ['pt-BR'], 'pt-BR', 'pt-BR'],
    ['as it is, in whatever case', ['PT-br'], 'pt-BR', 'pt-BR'],
    ['a language whose region has no kind of its own', ['de-CH'], 'de', 'de-CH'],
    ['a language whose region has no kind of its own', ['en-GB'], 'en', 'en-GB'],
    ['the kind of the region', ['pt'], 'pt-BR', 'pt'],
    ['the kind of the region', ['pt-MZ'], 'pt-PT', 'pt-MZ'],
    ['the kind of the region', ['pt-AO', 'en'], 'pt-PT', 'pt-AO'],
    ['the kind of the region', ['es'], 'es-ES', 'es'],
    ['the kind of the region', ['es-MX', 'en'], 'es-419', 'es-MX'],
    ['the kind of the region', ['es-US'], 'es-419', 'es-US'],
    ['the kind of the region', ['es-419'], 'es-419', 'es-419'],
    ['the likeliest kind in a region of neither', ['pt-JP'], 'pt-BR', 'pt-JP'],
    ['the likeliest kind in a region of neither', ['es-PH'], 'es-ES', 'es-PH'],
    ['the script of the region', ['zh'], 'zh-CN', 'zh'],
    ['the script of the region', ['zh-SG'], 'zh-CN', 'zh-SG'],
    ['the script of the region', ['zh-HK'], 'zh-TW', 'zh-HK'],
    ['the script of the region', ['zh-MO'], 'zh-TW', 'zh-MO'],
    ['the script that is named', ['zh-Hant'], 'zh-TW', 'zh-Hant'],
    ['the script that is named', ['zh-Hans-TW'], 'zh-CN', 'zh-Hans-TW'],
    ['no other script than was asked for', ['hi-Latn', 'en-IN'], 'en', 'en-IN'],
    ['no other script than was asked for', ['ja-Latn', 'ko'], 'ko', 'ko'],
    ['the language of an old code', ['iw'], 'he', 'he'],
    ['the language of an old code', ['in-ID'], 'id', 'id-ID'],
    ['the digits that are wished for', ['ar-u-nu-latn'], 'ar', 'ar-u-nu-latn'],
    ['the next wish, in numbers too', ['sw', 'pt'], 'pt-BR', 'pt'],
    ['the next wish, in numbers too', ['not a tag!', 'fr'], 'fr', 'fr'],
    ['the fallback, in numbers too', ['sw'], 'en', 'en'],
    ['the fallback, in numbers too', [], 'en', 'en'],
  ])('finds %s: for %j %s, with the numbers of %s', (_, wishes, lang, locale) => {
    expect(negotiator(available)(wishes)).toEqual({ lang, locale });
  });

  it('finds another variant of a language when the region’s is missing', () => {
    expect(negotiator(['en', 'pt-BR'])(['pt-PT', 'en']).lang).toBe('pt-BR');
    expect(negotiator(['en', 'es-419'])(['es']).lang).toBe('es-419');
  });
});
