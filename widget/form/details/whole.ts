import { BirthDate } from './birth-date.tsx';
import { Combobox } from './combobox.tsx';
import { CountryChoice } from './country-choice.tsx';
import { detailsWith } from './details.tsx';
import { FileField } from './file-field.tsx';
import { PhoneField } from './phone-field.tsx';

/** The details with all of their pieces, for who draws any form. */
export const details = detailsWith({ BirthDate, Combobox, CountryChoice, FileField, PhoneField });
