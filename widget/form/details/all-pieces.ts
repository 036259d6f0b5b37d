import { CountryChoice } from './address/country-choice.tsx';
import { Combobox } from './bank/combobox.tsx';
import { BirthDate } from './date/birth-date.tsx';
import { detailsWith } from './details.tsx';
import { FileField } from './document/file-field.tsx';
import { PhoneField } from './phone/phone-field.tsx';

/** The details with all of their pieces, for who draws any form. */
export const details = detailsWith({ BirthDate, Combobox, CountryChoice, FileField, PhoneField });
