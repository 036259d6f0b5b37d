/** Imported before a relay, simulates a later version: its schema has one more step. */
import type { SchemaStep } from '../../../relay/store/schema/schema.ts';
import { commonSteps } from '../../../relay/store/schema/steps.ts';

const step: SchemaStep = ({ schema, text }) => `
  ALTER TABLE ${schema}orders ADD COLUMN rehearsed ${text};
  UPDATE ${schema}orders SET rehearsed = 'before the upgrade';
  CREATE INDEX orders_rehearsed ON ${schema}orders (account, rehearsed);
`;

// The type of the list is read-only.
Reflect.apply(Array.prototype.push, commonSteps, [step]);
