import { describe, expect, it } from 'vitest';
import { readNotification } from './notify-routes.ts';

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
    ['JSON that is as deep as it can be', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['XML of another root', '<html><body>hello</body></html>'],
    ['broken XML', '<respon><a>1</respon>'],
    ['XML as deep as it can be', '<a>'.repeat(20_000)],
    ['XML with a DOCTYPE', '<!DOCTYPE respon><respon><a>1</a></respon>'],
    [
      'an entity bomb',
      '<!DOCTYPE respon [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><respon><a>&b;&b;</a></respon>',
    ],
    ['a form field twice', 'status=A&status=B'],
  ])('is unreadable from %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it.each([
    ['JSON', '{"'],
    ['XML', '<respon><a>'],
    ['a form', 'a='],
  ])('is unreadable from %s in bytes that are no UTF-8', (_, start) => {
    const rest = { '{': '":1}', '<': '</a></respon>' }[start.charAt(0)] ?? '';
    const body = Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(rest)]);
    expect(readNotification(body)).toBeUndefined();
  });
});
