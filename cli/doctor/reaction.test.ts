import { describe, expect, it } from 'vitest';
import { type Meaning, meaningOf } from './reaction.ts';

describe('what a gateway’s answer to a query means', () => {
  it.each([
    ['1', 'OK', 'taken'],
    ['1', '', 'taken'],
    ['1', 'No error', 'taken'],
    ['1', 'No records', 'taken'],
    // A code book that has success and failure the wrong way round.
    ['1', 'Invalid signature', 'refused'],
    ['00', 'Success', 'taken_by_words'],
    ['00', 'Consulta realizada com sucesso', 'taken_by_words'],
    ['00', '查询成功', 'taken_by_words'],
    ['00', 'Not successful', 'refused'],
    ['00', 'Unsuccessful', 'refused'],
    ['00', 'The order does not exist', 'absent'],
    ['00', 'Record not found', 'absent'],
    ['00', 'No such merchant, account not found', 'unknown_account'],
    ['00', 'Signature error: record not found', 'refused'],
    ['00', 'encryption_data is wrong', 'refused'],
    ['00', '', 'refused'],
    ['0', 'IP address not registered', 'address_not_registered'],
    ['0', 'Your IP is blocked', 'address_not_registered'],
    ['0', 'Account locked', 'limited'],
    ['0', 'Invalid description', 'refused'],
  ] satisfies [string, string, Meaning][])('%j with “%s” is %s', (returnStatus, returnMessage, meaning) => {
    const reaction = {
      kind: 'answered',
      returnStatus,
      returnMessage,
      listed: true,
      records: [],
      signature: undefined,
    } as const;
    expect(meaningOf(reaction, ['1'])).toBe(meaning);
  });
});

describe('what a gateway’s refusal means', () => {
  it.each([
    [400, 'Invalid input', 'refused'],
    [401, '', 'refused'],
    [400, 'Order not found', 'refused'],
    [403, 'IP not in whitelist', 'address_not_registered'],
    [403, 'Too many attempts', 'limited'],
    [404, 'Record not found', 'unknown_account'],
    [404, '<h1>Not Found</h1>', 'unknown_account'],
    [429, '', 'limited'],
    [400, 'Too many orders', 'refused'],
    [400, 'query_start is required', 'asks_for_filter'],
    [422, 'Parameter QUERY_END must not be empty', 'asks_for_filter'],
    [400, 'Missing header X-Merchant-Key', 'asks_for_header'],
    [400, 'Invalid query_start', 'refused'],
    [400, 'encryption_data is required', 'refused'],
    [302, '', 'no_evidence'],
    [503, 'Invalid signature', 'no_evidence'],
  ] satisfies [number, string, Meaning][])('HTTP %i with “%s” is %s', (status, text, meaning) => {
    expect(meaningOf({ kind: 'refused', status, text }, ['1'])).toBe(meaning);
  });
});
