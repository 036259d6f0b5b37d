/** What the hidden frame found out about a session; `refused` are the origins around it that may not hold the form. */
export type Probed =
  | { session: 'unknown' | 'wrong_secret' | 'unreachable'; submits: boolean }
  | { session: 'known'; status: string; refused: string[]; submits: boolean };

/** From the page to the hidden frame, once that has said `probe_ready`. */
export const ASK = 'probe';
export const READY = 'probe_ready';
export const ANSWER = 'probed';
