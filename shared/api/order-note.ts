import { z } from 'zod';
import { string, text } from '../gateway/text.ts';
import { moment } from './fields.ts';

/** `POST /v1/orders/:order_no/notes`: a person's note on an order. */
export const noteOrder = z
  .strictObject({
    note: text(1000)
      .regex(/\S/, 'must say something')
      .describe('The note, at most 1000 characters. It must not hold a card number.'),
  })
  .meta({ name: 'NoteOrder', description: 'A note on an order.' });
export type NoteOrder = z.infer<typeof noteOrder>;

/** A note on an order, and its author. */
export const orderNote = z
  .object({
    id: string.describe('The id of the note.'),
    at: moment.describe('The time.'),
    by: string.describe('The name of the API key, or `person:` and the name of the person in the console.'),
    note: string.describe('The note.'),
  })
  .meta({ name: 'OrderNote', description: 'A note on an order.' });
export type OrderNoteAnswer = z.infer<typeof orderNote>;
