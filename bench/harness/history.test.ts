import { describe, expect, it } from 'vitest';
import { change, type Run, runBefore } from './history.ts';

const run = (commit: string, more: Partial<Run> = {}): Run => ({
  bench: 'relay',
  commit,
  dirty: false,
  at: '2026-11-22T08:00:00.000Z',
  machine: 'two cores',
  node: '26.10.0',
  load: 0.2,
  figures: {},
  ...more,
});

describe('the run to compare a new one with', () => {
  it('is the last of another commit', () => {
    const history = [run('a'), run('b'), run('c')];
    expect(runBefore(history, run('c'))).toBe(history[1]);
  });

  it('is of the same benchmark and the same machine', () => {
    const history = [run('a'), run('b', { bench: 'memory' }), run('c', { machine: 'another' })];
    expect(runBefore(history, run('d'))).toBe(history[0]);
  });

  it('is never of a tree with changes', () => {
    expect(runBefore([run('a', { dirty: true })], run('b'))).toBeUndefined();
  });

  it('may be of the same commit for a tree with changes', () => {
    const history = [run('a'), run('b')];
    expect(runBefore(history, run('b', { dirty: true }))).toBe(history[1]);
  });
});

describe('a figure compared with that of the run before', () => {
  it('is a regression above a tenth where less is better', () => {
    expect(change(6, 5, 'lower')).toEqual({ ratio: 1.2, regressed: true });
    expect(change(5.4, 5, 'lower')).toMatchObject({ regressed: false });
    expect(change(1, 5, 'lower')).toMatchObject({ regressed: false });
  });

  it('is a regression below a tenth where more is better', () => {
    expect(change(800, 1000, 'higher')).toEqual({ ratio: 0.8, regressed: true });
    expect(change(950, 1000, 'higher')).toMatchObject({ regressed: false });
    expect(change(5000, 1000, 'higher')).toMatchObject({ regressed: false });
  });

  it('has no ratio to no figure, or to a negative one', () => {
    expect(change(5, undefined, 'lower')).toBeUndefined();
    expect(change(5, -0.2, 'lower')).toBeUndefined();
  });
});
