import { expect, it } from 'vitest';
import { testCards } from '../../shared/card-data/test-cards.ts';
import { clientSecret, sessionId } from '../../shared/samples/ids.ts';
import { searchText } from './search-text.ts';

it.each([
  [' A-1001 ', 'A-1001'],
  ['R$\u00a0478,90', 'R$\u00a0478,90'],
  [testCards.declined.number, '0002'],
  ['4111 1111 1111 1111', '1111'],
  ['Visa 4111 1111 1111 1111', '1111'],
  ['4111.1111.1111.1111', '1111'],
  ['cc:4111111111111111 12/27', '1111'],
  ['3782-822463-10005', '0005'],
  // A transaction_id with the first digits of a card number.
  ['41111111111111118297', '41111111111111118297'],
  [clientSecret, sessionId],
  ['x'.repeat(400), 'x'.repeat(320)],
])('makes of %s what can stand in an address', (typed, text) => expect(searchText(typed)).toBe(text));
