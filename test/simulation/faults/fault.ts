/** A fault that a relay once had or could have. */
export type Fault = {
  /** The relay's module that has the fault. */
  module: string;
  /** The file in `mutants` that replaces it. */
  file: string;
} & FoundBy;

/**
 * Where the search starts. `seed`: at the first generated history that found the fault; it goes on to the last of the default run.
 * `regression`: at the regression that found this; the others follow. A change of the generator does not affect these faults.
 */
type FoundBy = { seed: number } | { regression: string };

/** Faults by their names. */
export type Faults = Readonly<Record<string, Fault>>;
