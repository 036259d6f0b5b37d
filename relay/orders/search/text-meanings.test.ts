import { expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { clientSecret, operationId, sessionId, transactionId } from '../../../shared/samples/ids.ts';
import { meaningsOf } from './text-meanings.ts';

const read = (text: string): string[] =>
  meaningsOf(text).map((one) => `${one.as} ${one.value}${'sign' in one ? ` ${one.sign}` : ''}`);

const asIds = (text: string): string[] => [`order_no ${text}`, `transaction_id ${text}`, `recurring_id ${text}`];

it.each([
  [sessionId, [`session_id ${sessionId}`]],
  [clientSecret, [`session_id ${sessionId}`]],
  [operationId, [`operation_id ${operationId}`]],
  [' Ada@Shop.example ', ['email Ada@Shop.example']],
  ['A@1', asIds('A@1')],
  ['cs_1', asIds('cs_1')],
  ['A-4111111111111111', asIds('A-4111111111111111')],
  ['a-1001', asIds('a-1001')],
  [transactionId, asIds(transactionId)],
  ['1001', [...asIds('1001'), 'last4 1001', 'amount 1001.00']],
  ['•••• 1111', ['last4 1111']],
  ['411111******1111', ['last4 1111']],
])('takes %s for what it can be', (text, readings) => expect(read(text)).toEqual(readings));

it.each([
  ['R$478,90', ['amount 478.90 R$']],
  ['R$ 1.234,56', ['amount 1234.56 R$']],
  ['1,234.56', ['amount 1234.56']],
  ['1.000', ['amount 1.000', 'amount 1000.00']],
  ['100 brl', ['amount 100.00 brl']],
  ['1.2.3', []],
])('reads the amount %s in either locale', (text, amounts) =>
  expect(read(text).filter((one) => one.startsWith('amount'))).toEqual(amounts),
);

it.each(
  Object.values(testCards).flatMap(({ number }) => [
    number,
    number.replace(/(\d{4})(?=\d)/g, '$1 '),
    `card ${number}, paid`,
    `${number} cvv 123`,
  ]),
)('searches for no more than the last four digits of %s', (text) => {
  const digits = /\d[\d ]{11,}\d/.exec(text)?.[0]?.replaceAll(' ', '') ?? '';
  expect(read(text)).toEqual([`last4 ${digits.slice(-4)}`]);
});
