import type { SchemaStep } from './schema.ts';

/** The table of requests that wait for another person. `begin_operations` writes the approval of a request. */
export const approvals: SchemaStep = ({ schema, text, keyed, replacedProcedures }) => `
  CREATE TABLE ${schema}approvals (
    id ${text} PRIMARY KEY,
    account ${text} NOT NULL,
    expires_at ${text} NOT NULL,
    version INTEGER NOT NULL,
    data TEXT NOT NULL
  )${keyed};
  CREATE INDEX approvals_of_account ON ${schema}approvals (account, expires_at, id);
  CREATE INDEX approvals_old ON ${schema}approvals (expires_at);
  ${replacedProcedures}`;
