/** The result of a benchmark. Its ratios are relative to its named baseline, measured in the same run. */
export type Report = { rows: Row[]; aims: Aim[]; notes: string[] };

/** One line of the report's table: a name, and figures by the titles of their columns. */
export type Row = { what: string; figures: Record<string, string | number> };

/** A limit beside the measured value. A missed aim is reported and fails nothing: the machine may be busy. */
export type Aim = {
  name: string;
  /** The limit as text, such as `≤ 5`. */
  target: string;
  measured: string;
  met: boolean;
  value: number;
  better: 'lower' | 'higher';
};

/** Prints a line about the progress of a benchmark. */
export type Say = (line: string) => void;

/** Options of the command line: parts to measure (all if none), the number of rounds, and a folder that keeps filled stores. */
export type BenchmarkOptions = { only?: readonly string[]; rounds?: number; keep?: string };

export type Benchmark = (say: Say, options?: BenchmarkOptions) => Promise<Report>;

/** An aim for a value that should not be above `max`. */
export function atMost(name: string, value: number, max: number, unit = ''): Aim {
  const measured = `${rounded(value)}${unit}`;
  return { name, target: `≤ ${max}${unit}`, measured, met: value <= max, value, better: 'lower' };
}

/** An aim for a value that should not be below `min`. */
export function atLeast(name: string, value: number, min: number): Aim {
  return { name, target: `≥ ${min}`, measured: String(rounded(value)), met: value >= min, value, better: 'higher' };
}

/** Adds the rows, aims and notes of one part to the report of the whole benchmark. */
export function addTo(report: Report, { rows = [], aims = [], notes = [] }: Partial<Report>): void {
  report.rows.push(...rows);
  report.aims.push(...aims);
  report.notes.push(...notes);
}

/** A figure with three significant digits. */
export function rounded(figure: number): number {
  return Math.abs(figure) >= 100 ? Math.round(figure) : Number(figure.toPrecision(3));
}
