import type { CountryChoice } from './address/country-choice.tsx';
import type { Combobox } from './bank/combobox.tsx';
import type { BirthDate } from './date/birth-date.tsx';
import type { FileField } from './document/file-field.tsx';
import type { PhoneField } from './phone/phone-field.tsx';

/** Controls that only some forms need: each comes with a piece of its own. */
export type Controls = {
  BirthDate?: typeof BirthDate;
  Combobox?: typeof Combobox;
  CountryChoice?: typeof CountryChoice;
  FileField?: typeof FileField;
  PhoneField?: typeof PhoneField;
};
