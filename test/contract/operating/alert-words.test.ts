import { expect, it } from 'vitest';
import english from '../../../console/locales/en.json' with { type: 'json' };
import portuguese from '../../../console/locales/pt-BR.json' with { type: 'json' };
import { words } from '../../../relay/alerts/words.ts';

it('names the kinds of cases in mails as in the console', () => {
  expect(words.en.kinds).toEqual(english.home.kinds);
  expect(words['pt-BR'].kinds).toEqual(portuguese.home.kinds);
});
