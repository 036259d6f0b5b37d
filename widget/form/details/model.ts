import type { ComponentType } from 'preact';
import type { CountryRules } from '../../../shared/checkout/fields/context.ts';
import type { ExtraField } from '../fields.ts';
import type { CheckoutModel } from '../model.ts';
import type { PhoneReader } from './controls/phone-reader.ts';

/** The fields beside the card of one checkout, with what was loaded for them. */
export type Form = { readonly checkout: CheckoutModel; readonly pieces: Pieces };

/** What only some forms need. */
export type Pieces = {
  readonly controls: Controls;
  /** What is known of countries: no more than the form asks for. */
  readonly rules: CountryRules;
  readonly phones?: PhoneReader;
};

/** A part of the pieces that is loaded on its own. */
export type Piece = Partial<Pieces>;

/** Controls by the kind of their field. A field whose control did not come is typed as it is sent. */
export type Controls = {
  readonly BirthDate?: ComponentType<ControlProps>;
  readonly Combobox?: ComponentType<ControlProps>;
  readonly CountryChoice?: ComponentType<ControlProps>;
  readonly FileField?: ComponentType<ControlProps>;
  readonly PhoneField?: ComponentType<ControlProps & { phones: PhoneReader }>;
};

export type ControlProps = { form: Form; field: ExtraField; label: string };
