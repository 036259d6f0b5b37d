/** A change of the code that no behaviour shows: `text` of a file becomes `changed`. */
export type Equivalent = { file: string; text: string; changed: string; why: string };

export const equivalents: readonly Equivalent[] = [];
