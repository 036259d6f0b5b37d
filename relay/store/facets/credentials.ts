/** The settings of a person's own sign-in to the console. */
export type OwnCredentials = {
  person: string;
  /**
   * The scrypt hash of a password that the person chose, and the SHA-256 of the hash in the settings that it replaces.
   */
  password?: { hash: string; replaces: string };
  factor?: SecondFactor;
};

/** A second factor: the sealed secret of one-time codes, and since when the person has it. */
export type SecondFactor = { secret: string; enrolled_at: string };

/** Passwords, second factors and known networks of the people who sign in to the console. Names are those of the settings. */
export type CredentialStore = {
  get(person: string): Promise<OwnCredentials | undefined>;
  setPassword(person: string, password: { hash: string; replaces: string }): Promise<void>;

  /**
   * Gives a person a second factor, and these recovery codes (SHA-256) in place of all others. False if there is one already.
   * @param step the step of the code that confirmed it, which is used up
   */
  enrol(person: string, factor: SecondFactor & { step: number }, codes: readonly string[]): Promise<boolean>;
  /** Removes the factor that the person has since this time, with its recovery codes. False if there is no such factor. */
  removeFactor(person: string, enrolledAt: string): Promise<boolean>;
  /** Counts a try of a code. False, and not counted, after `max` wrong codes in a row. */
  countCode(person: string, max: number): Promise<boolean>;
  /**
   * Uses up the code of a step. False if this or a later code was used before, or if the person has another factor
   * meanwhile. The count of wrong codes starts again from zero.
   * @param factor the factor with its secret sealed again
   */
  takeStep(person: string, step: number, factor: SecondFactor): Promise<boolean>;

  /** The number of recovery codes that are left. */
  countRecoveryCodes(person: string): Promise<number>;
  hasRecoveryCode(person: string, code: string): Promise<boolean>;
  /**
   * Uses up a recovery code. False if the code does not exist any more. The count of wrong codes starts again from
   * zero.
   */
  takeRecoveryCode(person: string, code: string): Promise<boolean>;
  replaceRecoveryCodes(person: string, codes: readonly string[]): Promise<void>;

  /** Whether a network is known by one of these hashes, seen after this time. */
  isKnownNetwork(hashes: readonly string[], after: string): Promise<boolean>;
  seeNetwork(hash: string, at: string): Promise<void>;
  /** Deletes networks that were last seen before this time, at most `limit`. True if there may be more. */
  forgetNetworks(before: string, limit: number): Promise<boolean>;
};
