import type { BirthDate } from './birth-date.tsx';
import type { Combobox } from './combobox.tsx';
import type { CountryChoice } from './country-choice.tsx';
import type { FileField } from './file-field.tsx';
import type { PhoneField } from './phone-field.tsx';

/** Controls that only some forms need: each comes with a piece of its own. */
export type Controls = {
  BirthDate?: typeof BirthDate;
  Combobox?: typeof Combobox;
  CountryChoice?: typeof CountryChoice;
  FileField?: typeof FileField;
  PhoneField?: typeof PhoneField;
};
