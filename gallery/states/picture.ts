import type { CheckoutView, OrderParts, RenderModule } from '../../shared/checkout/view.ts';
import type { State } from '../../widget/form/state.ts';

/** A form in a state: the session, the typed text, and every other difference from an untouched form. */
export type FormPicture = {
  view: CheckoutView;
  state?: Partial<State>;
  /** Typed into these fields, one after another. Each field is left afterwards. */
  typed?: Readonly<Record<string, string>>;
  /** Typed into this field last, which keeps the focus. */
  at?: readonly [field: string, text?: string];
  /** All methods are shown. */
  open?: boolean;
  /** The button was pressed. */
  sent?: boolean;
  /** On the hosted page, not in a frame: with the contents of the order, and the shop's logo. */
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
  /** The only theme of the picture. */
  theme?: 'light' | 'dark';
  /** Widths in CSS pixels, if the two usual ones are not sufficient. */
  width?: number;
};
