import { describe, expect, it } from 'vitest';
import { median, quantile } from './statistics.ts';

const oneToHundredOne = Array.from({ length: 101 }, (_, at) => 101 - at);

describe('a quantile', () => {
  it('is one of the figures where its share falls on one', () => {
    expect(quantile(oneToHundredOne, 0.95)).toBe(96);
    expect(quantile(oneToHundredOne, 0)).toBe(1);
    expect(quantile(oneToHundredOne, 1)).toBe(101);
  });

  it('is interpolated between two figures', () => {
    expect(quantile([20, 10], 0.75)).toBe(17.5);
  });

  it('of one figure is that figure', () => {
    expect(quantile([7], 0.99)).toBe(7);
  });

  it('does not exist without figures', () => {
    expect(quantile([], 0.95)).toBeNaN();
    expect(median([])).toBeNaN();
  });
});

describe('a median', () => {
  it('is the figure in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it('is the mean of the two in the middle', () => {
    expect(median([9, 1, 5, 6])).toBe(5.5);
  });
});
