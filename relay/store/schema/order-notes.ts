import type { SchemaStep } from './schema.ts';

/** The notes of people on orders. Their ids begin with the time. */
export const orderNotes: SchemaStep = ({ schema, text, keyed }) => `
  CREATE TABLE ${schema}order_notes (
    account ${text} NOT NULL,
    order_no ${text} NOT NULL,
    id ${text} NOT NULL,
    at ${text} NOT NULL,
    author ${text} NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (account, order_no, id)
  )${keyed};
  CREATE INDEX order_notes_old ON ${schema}order_notes (at);
`;
