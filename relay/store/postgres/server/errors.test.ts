import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { storeError } from './errors.ts';

it.each([
  ['a wrong password', '28P01', '28P01'],
  ['a server that starts', '57P03', '57P03'],
  ['a pooler without prepared statements', '42P05', '42P05'],
  ['a statement that was ended', '57014', undefined],
  ['a value that is there', '23505', undefined],
])('the store is lost by what concerns all of it: %s', (_, code, reason) => {
  const error = Object.assign(new DatabaseError('text', 4, 'error'), { code });
  expect(storeError(error).reason).toBe(reason);
});

it.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])('the store is lost by a connection that has ended: %s', (message) => {
  expect(storeError(new Error(message)).reason).toBe('ECONNRESET');
});
