import { piece as addresses } from './address/addresses.tsx';
import { piece as dates } from './controls/birth-date.tsx';
import { piece as banks } from './controls/combobox.tsx';
import { piece as documents } from './controls/documents.ts';
import { piece as files } from './controls/file-field.tsx';
import { piece as phones } from './controls/phone-field.tsx';
import { detailsWith } from './details.tsx';
import { joined } from './pieces.ts';

/** The details with all of their pieces, for who draws any form. */
export const detailsWithAll = () =>
  detailsWith(joined([addresses, banks, dates, documents, files, phones].map((piece) => piece())));
