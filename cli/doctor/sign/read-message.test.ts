import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { readMessage, recognise } from './read-message.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const read = (text: string) => readMessage(bytes(text), 'm.txt');

const query = 'merchant_id=1&account_id=2&orders=A-1%2CA-2';
const ids = '"merchant_id":"1","account_id":"2"';
const xml = '<respon><merchant_id>1</merchant_id><order_status>1</order_status></respon>';

describe('a message file', () => {
  it.each([
    ['a form', query, { merchant_id: '1', account_id: '2', orders: 'A-1,A-2' }],
    ['a form with a newline', `${query}\r\n`, { merchant_id: '1', account_id: '2', orders: 'A-1,A-2' }],
    ['JSON', `{${ids},"amount":1.5}`, { merchant_id: '1', account_id: '2', amount: 1.5 }],
    ['JSON with a byte order mark', `\uFEFF{${ids}}`, { merchant_id: '1', account_id: '2' }],
    ['XML', `\n${xml}\n`, { merchant_id: '1', order_status: '1' }],
    [
      'a request with its head',
      `POST /v1/refund HTTP/1.1\r\nHost: x\r\n\r\n{${ids}}`,
      { merchant_id: '1', account_id: '2' },
    ],
    [
      'an answer with its head',
      `HTTP/1.1 200 OK\nContent-Type: text/xml\n\n${xml}`,
      { merchant_id: '1', order_status: '1' },
    ],
  ])('may hold %s', (_what, text, message) => {
    expect(read(text).message).toEqual(message);
  });

  it.each([
    ['nothing', ' \n', /m\.txt is empty/],
    ['broken JSON', '{"a":', /is not JSON of one object/],
    ['a list', '[1]', /is not JSON of one object/],
    ['a field twice', '{"a":1,"a":2}', /has a field twice/],
    ['a parameter twice', 'a=1&a=2', /has a field twice/],
    ['XML that is cut off', '<respon><a>1</a>', /is no XML answer of the gateway \(not_well_formed\)/],
    ['another root', '<html></html>', /wrong_root/],
    ['half a surrogate pair', '{"note":"\\ud800"}', /is not Unicode/],
    ['words', 'the message is secret', /is neither JSON, nor XML, nor a form/],
  ])('with %s is refused, with what to do', (_what, text, says) => {
    expect(() => read(text)).toThrow(says);
    expect(() => read(text)).toThrow(UsageError);
  });
});

describe('a message', () => {
  it.each([
    ['the query', query, 'query', 'request'],
    ['the refund search', 'merchant_id=1&account_id=2&refund_references=R', 'refund_search', 'request'],
    ['the refund', `{${ids},"refund_orders":[]}`, 'refund', 'request'],
    ['the answer to a capture', `{${ids},"return_status":"1","capture_orders":[]}`, 'capture', 'answer'],
    ['the answer to a query', `{${ids},"return_status":"1","orders_list":[]}`, 'query', 'answer'],
    [
      'a card payment',
      `{${ids},"order_no":"A","amount":"1.00","currency":"BRL","card":"x"}`,
      'direct_payment',
      'request',
    ],
    [
      'an alternative payment',
      `{${ids},"payment_method":"PIX","order_no":"A","amount":"1.00"}`,
      'apm_payment',
      'request',
    ],
    ['the answer to a payment', xml, 'direct_payment', 'answer'],
    [
      'an issuer’s address',
      '<respon><order_no>1</order_no><issuer_url>x</issuer_url></respon>',
      'apm_payment',
      'answer',
    ],
    ['the end of a contract', `{${ids},"recurring_id":"R","contract_name":"C"}`, 'subscription_cancel', 'request'],
    ['a payout', `{${ids},"request_id":"R","payment_amount":"1","beneficiary":{}}`, 'payout', 'request'],
  ])('is recognised as %s', (_what, text, operation, direction) => {
    expect(recognise(read(text))).toMatchObject({ operation, direction });
  });

  it('is of the operation that is named', () => {
    expect(recognise(read(`{${ids},"return_status":"1","refund_orders":[]}`), 'refund_search')).toMatchObject({
      operation: 'refund_search',
      direction: 'answer',
    });
    expect(() => recognise(read(query), 'payout')).toThrow(/No message of payout is a form/);
  });
});
