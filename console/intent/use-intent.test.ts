import { beforeEach, expect, it } from 'vitest';
import { keptIntents } from './use-intent.ts';

/** A storage like a browser tab's. */
function memory(): Storage {
  const items = new Map<string, string>();
  const storage = {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (name: string) => items.get(name) ?? null,
    key: (at: number) => [...items.keys()][at] ?? null,
    removeItem: (name: string) => void items.delete(name),
    setItem: (name: string, value: string) => void items.set(name, value),
  };
  return storage;
}

const subject = ['refund', 'A-1', 'tx 1'];
const intent = { subject, key: 'k1', body: { amount: '1.00' }, at: 5, href: '/console/orders/A-1' };

let storage: Storage;
beforeEach(() => {
  storage = memory();
});

it('finds an intent again, and lists it', () => {
  keptIntents(storage, ['Ada', 'demo']).keep(intent);
  const later = keptIntents(storage, ['Ada', 'demo']);
  expect(later.find(subject)).toEqual(intent);
  expect(later.find(['refund', 'A-1', 'tx 2'])).toBeUndefined();
  expect(later.all()).toEqual([intent]);
  later.forget(subject, 'k1');
  expect(later.all()).toEqual([]);
});

it('keeps a later request under another key', () => {
  const kept = keptIntents(storage, ['Ada', 'demo']);
  kept.keep({ ...intent, key: 'k2' });
  kept.forget(subject, 'k1');
  expect(kept.find(subject)).toMatchObject({ key: 'k2' });
});

it.each([
  ['Bob', 'demo'],
  ['Ada', 'other'],
  ['Ada","demo', 'refund'],
] as const)('is hidden from %s in %s', (person, account) => {
  keptIntents(storage, ['Ada', 'demo']).keep(intent);
  const others = keptIntents(storage, [person, account]);
  expect(others.find(subject)).toBeUndefined();
  expect(others.all()).toEqual([]);
});

it('skips entries that it did not write', () => {
  const kept = keptIntents(storage, ['Ada', 'demo']);
  kept.keep(intent);
  storage.setItem('turnpike.intent not JSON', '{}');
  storage.setItem('turnpike.intent ["Ada","demo","refund","B-1","tx"]', '{"key":1}');
  storage.setItem('turnpike.intent ["Ada","demo","refund","B-2","tx"]', 'null');
  storage.setItem('other', '1');
  expect(kept.all()).toEqual([intent]);
});

it('works in a browser without storage', () => {
  const full = Object.assign(memory(), {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  const kept = keptIntents(full, ['Ada', 'demo']);
  kept.keep(intent);
  expect(kept.find(subject)).toBeUndefined();
});
