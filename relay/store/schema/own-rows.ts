import type { SchemaStep } from './schema.ts';

/** Procedures find a session and an attempt among those of their order. */
export const ownRows: SchemaStep = ({ replacedProcedures }) => replacedProcedures;
