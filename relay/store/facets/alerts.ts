/** What each recipient of alerts was sent. */
export type AlertStore = {
  /**
   * Takes the work for a recipient, so that one relay alone does it until `until`. Returns the state that `finish` kept, `{}` at first;
   * undefined while another relay has it. A lease that ends after `latest` was made by a clock that was ahead, and holds nothing.
   * @param now ISO 8601 in UTC, as are the others
   */
  take(recipient: string, now: string, until: string, latest: string): Promise<string | undefined>;
  /** Keeps the state of a recipient, and ends the lease until `until`. A relay that took longer than its lease keeps nothing. */
  finish(recipient: string, state: string, until: string): Promise<void>;
};
