import type { CredentialStore, OwnCredentials } from '../../facets/credentials.ts';
import type { Row } from '../../row.ts';
import { ask, type Plan, run, type Sql, statementsOf } from '../plan.ts';

/**
 * The credentials that people set for their sign-in to the console. One statement uses up a single-use code, so that
 * only one relay can accept it.
 */
export function credentials(db: Sql): CredentialStore {
  const sql = statements(db);

  /** Whether a statement changed a row. Only then the following steps run, in the same transaction. */
  function* changing(
    change: Plan<Row[]>,
    then: () => Plan<void> = function* () {
      yield* [];
    },
  ): Plan<boolean> {
    const isChanged = (yield* change).length > 0;
    if (isChanged) yield* then();
    return isChanged;
  }

  const newCodes = (person: string, codes: readonly string[]): Plan<void> =>
    run([sql.dropCodes, person], ...codes.map((code) => [sql.addCode, person, code] as const));

  return {
    get: async (person) => (await db.read(sql.credentials, person)).map(credentialsFrom)[0],
    setPassword: (person, { hash, replaces }) => db.write(() => run([sql.setPassword, person, hash, replaces])),

    enrol: (person, { secret, enrolled_at, step }, codes) =>
      db.write(() => changing(ask(sql.enrol, person, secret, enrolled_at, step), () => newCodes(person, codes))),
    removeFactor: (person, enrolledAt) =>
      db.write(() => changing(ask(sql.removeFactor, person, enrolledAt), () => run([sql.dropCodes, person]))),
    countCode: (person, max) => db.write(() => changing(ask(sql.countCode, person, max))),
    takeStep: (person, step, { secret, enrolled_at }) =>
      db.write(() => changing(ask(sql.takeStep, person, step, secret, enrolled_at))),

    countRecoveryCodes: async (person) => Number((await db.read(sql.countCodes, person))[0]?.count),
    hasRecoveryCode: async (person, code) => (await db.read(sql.hasCode, person, code)).length > 0,
    takeRecoveryCode: (person, code) =>
      db.write(() => changing(ask(sql.takeCode, person, code), () => run([sql.forgiveCodes, person]))),
    replaceRecoveryCodes: (person, codes) => db.write(() => newCodes(person, codes)),

    isKnownNetwork: async (hashes, after) => (await db.read(sql.knownNetwork, hashes, after)).length > 0,
    seeNetwork: (hash, at) => db.write(() => run([sql.seeNetwork, hash, at])),
    forgetNetworks: (before, limit) =>
      db.write(function* (): Plan<boolean> {
        yield* db.byIndex();
        return (yield* ask(sql.forgetNetworks, before, limit)).length >= limit;
      }),
  };
}

function credentialsFrom({ person, password, replaces, secret, enrolled_at }: Row): OwnCredentials {
  return {
    person: String(person),
    ...(typeof password === 'string' ? { password: { hash: password, replaces: String(replaces) } } : {}),
    ...(typeof secret === 'string' ? { factor: { secret, enrolled_at: String(enrolled_at) } } : {}),
  };
}

function statements(db: Sql) {
  const { table, anyOf, skipLocked } = db.dialect;
  const [people, codes, networks] = [table('people'), table('recovery_codes'), table('known_networks')];
  return statementsOf(db.statement, {
    credentials: `SELECT person, password, replaces, secret, enrolled_at FROM ${people} WHERE person = $1`,
    setPassword: `INSERT INTO ${people} (person, password, replaces) VALUES ($1, $2, $3)
      ON CONFLICT (person) DO UPDATE SET password = excluded.password, replaces = excluded.replaces`,
    enrol: `INSERT INTO ${people} AS p (person, secret, enrolled_at, last_step) VALUES ($1, $2, $3, $4)
      ON CONFLICT (person) DO UPDATE SET secret = excluded.secret, enrolled_at = excluded.enrolled_at,
        last_step = excluded.last_step, wrong_codes = 0 WHERE p.secret IS NULL RETURNING person`,
    removeFactor: `UPDATE ${people} SET secret = NULL, enrolled_at = NULL WHERE person = $1 AND enrolled_at = $2 RETURNING person`,
    countCode: `UPDATE ${people} SET wrong_codes = wrong_codes + 1
      WHERE person = $1 AND secret IS NOT NULL AND wrong_codes < $2 RETURNING person`,
    takeStep: `UPDATE ${people} SET last_step = $2, secret = $3, wrong_codes = 0
      WHERE person = $1 AND secret IS NOT NULL AND enrolled_at = $4 AND last_step < $2 RETURNING person`,
    forgiveCodes: `UPDATE ${people} SET wrong_codes = 0 WHERE person = $1`,

    countCodes: `SELECT count(*) AS count FROM ${codes} WHERE person = $1`,
    hasCode: `SELECT 1 AS found FROM ${codes} WHERE person = $1 AND code_sha256 = $2`,
    takeCode: `DELETE FROM ${codes} WHERE person = $1 AND code_sha256 = $2 RETURNING person`,
    dropCodes: `DELETE FROM ${codes} WHERE person = $1`,
    addCode: `INSERT INTO ${codes} (person, code_sha256) VALUES ($1, $2)`,

    knownNetwork: `SELECT 1 AS found FROM ${networks} WHERE network ${anyOf('$1')} AND seen_at > $2`,
    seeNetwork: `INSERT INTO ${networks} AS n (network, seen_at) VALUES ($1, $2)
      ON CONFLICT (network) DO UPDATE SET seen_at = excluded.seen_at WHERE n.seen_at < excluded.seen_at`,
    forgetNetworks: `DELETE FROM ${networks} WHERE network IN (SELECT network FROM ${networks}
      WHERE seen_at < $1 LIMIT $2 ${skipLocked}) RETURNING network`,
  });
}
