import type { CheckoutView, OrderParts, RenderModule } from '../../shared/checkout/view.ts';
import type { State } from '../../widget/form/state.ts';

/** A form in a state: the session, the typed text, and every other difference from an untouched form. */
export type FormPicture = {
  view: CheckoutView;
  state?: Partial<State>;
  /** Typed into these fields, one after the other; each is left after that. */
  typed?: Readonly<Record<string, string>>;
  /** Typed into this field last, which keeps the focus. */
  at?: readonly [field: string, text?: string];
  /** All methods are shown. */
  open?: boolean;
  /** The button was pressed. */
  sent?: boolean;
  /** On the page of its own, not in a frame: with what the order is made of, and the shop's logo. */
  hosted?: { order?: OrderParts; logo?: string };
};

/** A page with a single message. */
export type NoticePicture = Pick<Parameters<RenderModule['renderNotice']>[0], 'notice' | 'view' | 'link'>;

/** One picture of the gallery. */
export type Picture = {
  name: string;
  shows: FormPicture | NoticePicture;
  locale?: string;
  compact?: boolean;
  variables?: Readonly<Record<string, string>>;
  /** Where it is looked at in one theme alone. */
  theme?: 'light' | 'dark';
  /** Width in CSS pixels, where the two usual ones do not tell enough. */
  width?: number;
};
