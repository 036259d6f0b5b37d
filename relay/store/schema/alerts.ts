import type { SchemaStep } from './schema.ts';

/** What each recipient of alerts was sent, and until when a relay sends it more. */
export const sentAlerts: SchemaStep = ({ schema, text, rows }) => `
  CREATE TABLE ${schema}alerts (
    recipient ${text} PRIMARY KEY,
    state TEXT NOT NULL,
    leased_until ${text}
  )${rows};
`;
