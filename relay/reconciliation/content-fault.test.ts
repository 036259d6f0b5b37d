import { describe, expect, it } from 'vitest';
import type { CallResult } from '../gateway/call.ts';
import { isContentFault } from './content-fault.ts';

const unusable = (fault: Extract<CallResult, { kind: 'unusable' }>['fault']) =>
  ({ kind: 'unusable', fault, evidence: {} }) as const;

describe('a failed query', () => {
  it.each([
    ['a 400', { kind: 'refused', status: 400, evidence: {} }],
    [
      'a 400 that the profile does not list',
      { kind: 'unusable', fault: 'http_status', evidence: { http_status: 400 } },
    ],
    ['an answer that is too large', unusable('answer_too_large')],
    ['an answer that is no JSON', unusable('not_json')],
    ['an answer with a repeated field', unusable('repeated_field')],
    ['an answer of the wrong shape', unusable('wrong_shape')],
  ] as const)('may be explained by its content: %s', (_, called) => {
    expect(isContentFault(called, undefined, 999_999)).toBe(true);
  });

  it.each([
    ['a 401', { kind: 'refused', status: 401, evidence: {} }],
    ['a 429', { kind: 'refused', status: 429, evidence: {} }],
    ['a 404', { kind: 'refused', status: 404, evidence: {} }],
    ['another HTTP status', { kind: 'unusable', fault: 'http_status', evidence: { http_status: 302 } }],
    ['a reset', unusable('connection_lost')],
    ['a wrong signature', unusable('signature_wrong')],
    ['a gateway that was not reached', { kind: 'not_sent' }],
    ['a missing setting', { kind: 'not_configured', detail: 'x' }],
  ] as const)('is not explained by its content: %s', (_, called) => {
    expect(isContentFault(called, 999_999, 999_999)).toBe(false);
  });

  it.each([
    ['time out', unusable('timeout')],
    ['be answered with a 500', { kind: 'unusable', fault: 'http_status', evidence: { http_status: 500 } }],
    ['be answered with a 503', { kind: 'unusable', fault: 'http_status', evidence: { http_status: 503 } }],
  ] as const)('may %s by its content if the gateway answered recently', (_, called) => {
    const now = 100_000;
    expect(isContentFault(called, 40_001, now)).toBe(true);
    expect(isContentFault(called, 40_000, now)).toBe(false);
    expect(isContentFault(called, undefined, now)).toBe(false);
  });
});
