/**
 * Ends a transaction of a procedure and begins the next one. That one sees at each of its statements what was committed
 * before, whatever the server or a pooler in between is set to; nothing can be evaluated before it is told so.
 */
export const nextTransaction = `COMMIT;
  SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;`;

/** The server's clock, in milliseconds since 1970. */
export const SERVER_CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** The milliseconds until \`deadline\`. */
export const TIME_LEFT = `greatest(1, deadline - ${SERVER_CLOCK})`;

/**
 * Raises when it is too late: the relay has told by then that nothing was done. Must be asked before anything is done, and
 * again as the last thing before a commit, because a server may hang at any moment.
 */
export const unlessLate = `
  IF ${SERVER_CLOCK} > deadline THEN
    RAISE 'late' USING ERRCODE = 'TP003';
  END IF;`;

/** What a transaction relies on besides, as its first statement; \`lockMs\` is how long it waits for each lock. */
export const settings = (synchronousCommit: 'on' | 'off', lockMs: string): string => `
  PERFORM set_config('synchronous_commit', '${synchronousCommit}', true), set_config('lock_timeout', (${lockMs})::text, true),
    -- The plans are made once, for lists of any length in tables of any size: each row is found by its key.
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true);`;

/**
 * What a procedure tells once its transaction is over: of one job why it lost, or that somebody has \`locked\` what it needs;
 * of several jobs that fewer must be done together. What is late must not be done at all, however many they are.
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

/** Raises what the last statement tells by the number of its rows. */
export const unless = (condition: string, reason: string): string => `
    GET DIAGNOSTICS done = ROW_COUNT;
    IF NOT (${condition}) THEN
      RAISE '${reason}' USING ERRCODE = 'TP001';
    END IF;`;
