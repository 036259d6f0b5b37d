import { expect, it } from 'vitest';
import english from '../../../console/locales/en.json' with { type: 'json' };
import portuguese from '../../../console/locales/pt-BR.json' with { type: 'json' };
import { texts } from '../../../relay/alerts/texts.ts';

it('names the kinds of cases in mails as in the console', () => {
  expect(texts.en.kinds).toEqual(english.home.kinds);
  expect(texts['pt-BR'].kinds).toEqual(portuguese.home.kinds);
});
