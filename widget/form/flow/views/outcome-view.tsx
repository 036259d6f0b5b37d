import { Component, type ComponentChildren, type Ref } from 'preact';
import { digitsOf } from '../../../../shared/checkout/fields/digits.ts';
import type { Translate } from '../../../locales/messages.ts';
import { certainBrand } from '../../card/brands.ts';
import type { CheckoutModel, HostedModule } from '../../model.ts';
import { labelOf, type OutcomeStage, type View } from '../../state.ts';
import { awaitedLabel, isAwaited } from '../awaited.ts';
import { Awaited } from './awaited-view.tsx';

/** `busy` for a wait of seconds, `waiting` for one of days, `neutral` for an outcome that is no failure. */
export type Tone = 'busy' | 'waiting' | 'good' | 'neutral' | 'bad';

type PageProps = {
  tone: Tone;
  title: string;
  text: string;
  headingRef?: Ref<HTMLHeadingElement>;
  children?: ComponentChildren;
};

const SIGNS: Record<Tone, string> = {
  busy: 'M12 1.5A10.5 10.5 0 0 1 22.5 12',
  waiting: 'M12 6v6l3.5 2.5',
  good: 'm7 12.5 3.5 3.5 7-8',
  neutral: 'M12 11v6m0-9.5v.01',
  bad: 'M12 7v6m0 3.5v.01',
};

/** A page with one message. */
export function Page({ tone, title, text, headingRef, children }: PageProps) {
  return (
    <section class={`outcome ${tone}`}>
      <svg viewBox="0 0 24 24" width="48" height="48" aria-hidden="true">
        <circle cx="12" cy="12" r="10.5" />
        <path d={SIGNS[tone]} />
      </svg>
      <h1 ref={headingRef} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      {children}
    </section>
  );
}

const TONES = {
  leaving: 'busy',
  away: 'waiting',
  confirming: 'busy',
  pending: 'waiting',
  approved: 'good',
  failed: 'bad',
  expired: 'neutral',
  broken: 'bad',
  incomplete: 'bad',
  paid: 'good',
} as const satisfies Record<OutcomeStage['name'] | 'paid', Tone>;

type Shown = { checkout: CheckoutModel; stage: OutcomeStage };
type Props = Shown & { hosted: HostedModule | undefined; focus: boolean };

/**
 * Replaces the form once the shopper has paid or the session is over. Its heading gets the focus, so that screen
 * readers announce it.
 */
export class Outcome extends Component<Props> {
  #heading: HTMLHeadingElement | null = null;
  #focused = nameOf(this.props);

  override componentDidMount(): void {
    if (this.props.focus) this.#heading?.focus();
  }

  override componentDidUpdate(): void {
    const name = nameOf(this.props);
    if (name !== this.#focused) this.#heading?.focus();
    this.#focused = name;
  }

  override render() {
    const { checkout, stage, hosted, focus } = this.props;
    const { t } = checkout;
    const { view, message } = checkout.state;
    const name = nameOf(this.props);
    const title = titleOf(this.props);
    const told = isAwaited(stage) ? message && checkout.formatMessage(message) : paidTwiceText(t, view);
    return (
      <Page
        tone={TONES[name]}
        title={title}
        text={name === 'paid' ? t('order_already_paid') : t(`${name}_text`, { amount: checkout.money() })}
        headingRef={(heading) => {
          this.#heading = heading;
        }}
      >
        {/* There before it is filled: a live region that comes later is not read out. */}
        <div role="status">{told && <p class="message calm">{told}</p>}</div>
        {isAwaited(stage) && <Awaited checkout={checkout} />}
        {stage.name === 'approved' && view.order_no && <Receipt checkout={checkout} />}
        {stage.name === 'leaving' && (
          <a href={stage.url} target="_top">
            {t('go_on')}
          </a>
        )}
        {hosted && <hosted.WayOn key={name} checkout={checkout} stage={stage} title={title} isNew={focus} />}
      </Page>
    );
  }
}

/** The texts of a stage. One text adds data of the session. */
function nameOf({ checkout, stage }: Shown): keyof typeof TONES {
  const { reason } = checkout.state.view;
  return stage.name === 'failed' && reason === 'order_already_paid' ? 'paid' : stage.name;
}

/** The title of an outcome. */
export function titleOf(shown: Shown): string {
  const { t, state } = shown.checkout;
  const name = nameOf(shown);
  const method = awaitedLabel(state.view);
  if (name === 'away') return t('away_with', { method: method || t('card') });
  return name === 'pending' && method ? t('pending_with', { method }) : t(`${name}_title`);
}

/** The receipt of a successful payment: the shop, the time and the card. */
function Receipt({ checkout: { t, boot, state, platform } }: { checkout: CheckoutModel }) {
  const { merchant_name, order_no, card, paid_at } = state.view;
  const paid = paid_at ? new Date(paid_at) : platform.now();
  return (
    <dl>
      <Row name={t('paid_to')} value={merchant_name} />
      <Row name={t('paid_on')} value={new Intl.DateTimeFormat(boot.locale, { dateStyle: 'long' }).format(paid)} />
      {order_no && <Row name={t('order_no')} value={order_no} />}
      {card && <Row name={t('paid_with')} value={cardName(card)} />}
    </dl>
  );
}

/** A masked number as its brand and its last digits. */
function cardName(masked: string): string {
  const [first = '', last = ''] = masked.split(/\*+/);
  const brand = certainBrand(digitsOf(first));
  return `${brand ? `${brand.name} ` : ''}•••• ${last}`;
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

/** The text for a shopper whose order was paid twice: which payment counts. Undefined if it was paid once. */
export function paidTwiceText(t: Translate, view: Pick<View, 'methods' | 'paid_twice'>): string | undefined {
  const method = view.paid_twice?.payment_method;
  return method && t('paid_twice', { method: method === 'card' ? t('card') : labelOf(view, method) });
}
