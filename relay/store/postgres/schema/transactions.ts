/**
 * Ends a transaction of a procedure and begins the next one, in which each statement sees everything that was committed
 * before it, whatever the settings of the server or of a pooler are. The isolation level must be set before any other
 * statement.
 */
export const nextTransaction = `COMMIT;
  SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;`;

/** The server's clock, in milliseconds since 1970. */
export const SERVER_CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** The milliseconds until `deadline`. */
export const TIME_LEFT = `greatest(1, deadline - ${SERVER_CLOCK})`;

/**
 * Raises TP003 after the deadline, when the relay has already reported that nothing was done. It comes before the first
 * statement and again directly before a commit, because a server may hang at any moment.
 */
export const unlessLate = `
  IF ${SERVER_CLOCK} > deadline THEN
    RAISE 'late' USING ERRCODE = 'TP003';
  END IF;`;

/** The settings that a transaction needs, as its first statement. `lockMs` is how long it waits for each lock. */
export const settings = (synchronousCommit: 'on' | 'off', lockMs: string): string => `
  PERFORM set_config('synchronous_commit', '${synchronousCommit}', true), set_config('lock_timeout', (${lockMs})::text, true),
    -- The plans are made once, for lists of any length in tables of any size: each row is found by its key.
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_material', 'off', true), set_config('jit', 'off', true);`;

/**
 * Sets the verdict of a procedure whose transaction failed. For one job it is the reason, or `locked`; for several jobs
 * it is `split`: the relay then tries fewer together. Any other error is raised, and so is TP003, because a call that
 * is too late must not be repeated.
 */
export const outcome = `
  IF state IS NULL THEN
    RETURN;
  END IF;
  IF jobs > 1 AND state <> 'TP003' THEN
    verdict := 'split';
  ELSIF state IN ('TP001', 'TP002') THEN
    verdict := reason;
  ELSIF state = '55P03' THEN
    verdict := 'locked';
  ELSE
    RAISE '%', reason USING ERRCODE = state;
  END IF;`;

/** Raises `reason` unless the `condition` holds; in it, `done` is the number of rows of the last statement. */
export const unless = (condition: string, reason: string): string => `
    GET DIAGNOSTICS done = ROW_COUNT;
    IF NOT (${condition}) THEN
      RAISE '${reason}' USING ERRCODE = 'TP001';
    END IF;`;
