import { describe, expect, it } from 'vitest';
import { readNotification } from './notification-body.ts';

const read = (text: string) => readNotification(Buffer.from(text));

describe('what a notification says', () => {
  it.each([
    ['JSON', '{"status":"COMPLETED","fee_amount":1.5}', { status: 'COMPLETED', fee_amount: 1.5 }],
    ['JSON after white space', ' \n{"a":"1"}', { a: '1' }],
    [
      'XML',
      '<?xml version="1.0"?>\n<respon><status>COMPLETED</status><note/></respon>',
      { status: 'COMPLETED', note: '' },
    ],
    ['a form', 'status=COMPLETED&note=a+b%26c', { status: 'COMPLETED', note: 'a b&c' }],
  ])('is read from %s', (_, text, message) => {
    expect(read(text)).toEqual(message);
  });

  it.each([
    ['nothing', ''],
    ['broken JSON', '{"a":'],
    ['a JSON list', '[{"status":"A"}]'],
    ['a sentence', 'your payout is on its way'],
    ['a JSON field twice', '{"status":"A","status":"B"}'],
    ['XML of another root', '<html><body>hello</body></html>'],
    ['XML with a DOCTYPE', '<!DOCTYPE respon><respon><a>1</a></respon>'],
    ['a form field twice', 'status=A&status=B'],
  ])('is unreadable from %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is unreadable from bytes that are no UTF-8', () => {
    expect(readNotification(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBeUndefined();
  });
});
