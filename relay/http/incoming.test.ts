import { expect, it } from 'vitest';
import { bareAddresses } from './incoming.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:51234', '2001:db8::7'],
  ['[::ffff:203.0.113.7]:1', '::ffff:203.0.113.7'],
  ['203.0.113.7:1,[2001:db8::7]:2 , 10.0.0.1:65535', '203.0.113.7, 2001:db8::7, 10.0.0.1'],
  ['unknown, _hidden, 10.0.0.1', 'unknown, _hidden, 10.0.0.1'],
  ['203.0.113.7:http', '203.0.113.7:http'],
  ['', ''],
])('reads %s as %s', (given, read) => expect(bareAddresses(given)).toBe(read));
