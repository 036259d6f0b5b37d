/** The state of each recipient of alerts. */
export type AlertStore = {
  /**
   * Leases a recipient to this relay until `until`. Returns the state that `finish` stored, `{}` at first; undefined while another
   * relay has the lease. A lease that ends after `latest` has no effect: the clock that made it was ahead.
   * @param now ISO 8601 in UTC, as are the others
   */
  take(recipient: string, now: string, until: string, latest: string): Promise<string | undefined>;
  /** Stores the state of a recipient, and ends the lease until `until`. If the lease has ended before, nothing is stored. */
  finish(recipient: string, state: string, until: string): Promise<void>;
};
