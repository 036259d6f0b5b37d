import { z } from 'zod';
import { identifier, string, text } from '../gateway/text.ts';

/** The maximum number of metadata keys of one object. */
const MAX_METADATA = 50;

/** A shop's metadata of a request. The relay stores and returns it; the gateway never gets it. */
export const metadata = z
  .record(identifier.max(40, 'must have at most 40 characters'), text(500))
  .refine((notes) => Object.keys(notes).length <= MAX_METADATA, `must have at most ${MAX_METADATA} keys`)
  .meta({
    name: 'Metadata',
    maxProperties: MAX_METADATA,
    description:
      'Your own notes: up to 50 keys of at most 40 characters, with texts of at most 500. The relay keeps them and returns them; the gateway never gets them.',
  });
export type Metadata = Readonly<z.infer<typeof metadata>>;

/** The metadata in an answer. */
export const keptMetadata = z.record(string, string).optional().describe('Your `metadata` of the request.');
