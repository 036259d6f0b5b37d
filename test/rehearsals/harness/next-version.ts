/** Loaded before a relay, makes it one of a later version: its store has one more step. */
import type { SchemaStep } from '../../../relay/store/schema/schema.ts';
import { commonSteps } from '../../../relay/store/schema/steps.ts';

const step: SchemaStep = ({ schema, text }) => `
  ALTER TABLE ${schema}orders ADD COLUMN rehearsed ${text};
  UPDATE ${schema}orders SET rehearsed = 'before the upgrade';
  CREATE INDEX orders_rehearsed ON ${schema}orders (account, rehearsed);
`;

// The list is read-only for everything but this.
Reflect.apply(Array.prototype.push, commonSteps, [step]);
