import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createIds } from './ids.ts';

const newId = createIds(() => new Date());

describe('a new id', () => {
  it('is never the same twice', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('cs'));
    expect(new Set(ids).size).toBe(10_000);
  });

  it('has 144 random bits after the time, even for many at once', () => {
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const ids = Array.from({ length: 1000 }, () => newId('at'));
    for (const id of ids) expect(id).toMatch(/^at_[0-9a-z]{8}[\w-]{24}$/);
    expect(new Set(ids.map((id) => id.slice(0, 11))).size).toBe(1);
    for (let at = 11; at < 35; at++) expect(new Set(ids.map((id) => id[at])).size).toBeGreaterThan(32);
  });

  it('sorts behind those that were made before it', () => {
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const moments = ['2001-09-09', '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.001Z', '2059-01-01'];
    const ids = moments.map((moment) => {
      vi.setSystemTime(new Date(moment));
      return newId('msg');
    });
    expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids);
  });
});
