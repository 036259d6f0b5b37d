import type { SchemaStep } from './schema.ts';

/** The alerts that each recipient was sent, and until when a relay has the lease of the recipient. */
export const sentAlerts: SchemaStep = ({ schema, text, rows }) => `
  CREATE TABLE ${schema}alerts (
    recipient ${text} PRIMARY KEY,
    state TEXT NOT NULL,
    leased_until ${text}
  )${rows};
`;
