/**
 * The value below which this share of the figures lies, 0.95 for the 95th percentile; between two figures it is interpolated.
 * NaN if there are no figures.
 */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position % 1);
}

/** The figure in the middle, or the mean of the two in the middle. NaN if there are no figures. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}
