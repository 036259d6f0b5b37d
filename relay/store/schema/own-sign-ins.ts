import type { SchemaStep } from './schema.ts';

/**
 * The data that people set for their own sign-in to the console: a password, a second factor with its recovery codes,
 * and the hashes of the networks from which they signed in. Sign-ins are listed by person.
 */
export const ownSignIns: SchemaStep = ({ schema, text, bigint, keyed }) => `
  ALTER TABLE ${schema}sign_ins ADD COLUMN ip ${text};
  CREATE INDEX sign_ins_of ON ${schema}sign_ins (person);
  CREATE TABLE ${schema}people (
    person ${text} PRIMARY KEY,
    password ${text},
    replaces ${text},
    secret ${text},
    enrolled_at ${text},
    last_step ${bigint} NOT NULL DEFAULT 0,
    wrong_codes INTEGER NOT NULL DEFAULT 0
  )${keyed};
  CREATE TABLE ${schema}recovery_codes (
    person ${text} NOT NULL,
    code_sha256 ${text} NOT NULL,
    PRIMARY KEY (person, code_sha256)
  )${keyed};
  CREATE TABLE ${schema}known_networks (
    network ${text} PRIMARY KEY,
    seen_at ${text} NOT NULL
  )${keyed};
  CREATE INDEX known_networks_old ON ${schema}known_networks (seen_at);
`;
