import { piece as addresses } from './address/addresses.tsx';
import { piece as banks } from './bank/combobox.tsx';
import { piece as dates } from './date/birth-date.tsx';
import { detailsWith } from './details.tsx';
import { piece as documents } from './document/documents.ts';
import { piece as files } from './document/file-field.tsx';
import { piece as phones } from './phone/phone-field.tsx';
import { joined } from './pieces.ts';

/** The details with all of their pieces, for who draws any form. */
export const detailsWithAll = () =>
  detailsWith(joined([addresses, banks, dates, documents, files, phones].map((piece) => piece())));
