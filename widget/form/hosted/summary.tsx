import { Component } from 'preact';
import type { SummaryTexts } from '../../../shared/checkout/view.ts';
import type { CheckoutModel } from '../model.ts';

type Props = { checkout: CheckoutModel };

/**
 * The part beside the form, or above it on a phone: the shop, the link back to it, the amount, and the contents of the
 * order.
 */
export class Summary extends Component<Props> {
  override componentDidMount(): void {
    this.props.checkout.watch(() => this.setState({}));
  }

  override render() {
    const { checkout } = this.props;
    const { t, boot, state } = checkout;
    const { view, stage } = state;
    const { merchant_name: merchant, returns, session_id } = view;
    const isForm = stage.name === 'form' || stage.name === 'paying';
    // A running payment continues without the shopper, who must not leave it by mistake.
    const isOpen = stage.name === 'form';
    const back = { href: `/return/${session_id}`, label: t('back', { merchant }), isOpen };
    return (
      <section class="summary" aria-label={t('order_summary')}>
        <Brand merchant={merchant} logo={boot.hosted?.logo} back={returns && isForm ? back : undefined} />
        {isForm ? <h1 id="heading">{t('heading', { merchant })}</h1> : <p class="heading">{t('total')}</p>}
        <p class="amount">{checkout.money()}</p>
        {boot.hosted && <Order checkout={checkout} contents={boot.hosted.summary} />}
      </section>
    );
  }
}

/** The order's items, and the other parts of the amount. On a phone it is collapsed at first. */
function Order({ checkout, contents: { items, further, sums } }: Props & { contents: SummaryTexts }) {
  const { t } = checkout;
  if (!items.length && !sums.length) return null;
  return (
    <details>
      <summary>
        <span>{t('order_summary')}</span>
        <svg viewBox="0 0 12 8" width="12" height="8" aria-hidden="true">
          <path d="m1 1 5 5 5-5" />
        </svg>
      </summary>
      <ul>
        {items.map(({ name, detail, total }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items may be equal, and keep no state.
          <li key={at}>
            <span>
              <bdi>{name}</bdi>
              {detail && <small>{detail}</small>}
            </span>
            <b>{total}</b>
          </li>
        ))}
        {further && (
          <li>
            <small>{further}</small>
          </li>
        )}
      </ul>
      <dl>
        {sums.map(({ label, amount }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
        <div class="total">
          <dt>{t('total')}</dt>
          <dd>{checkout.money()}</dd>
        </div>
      </dl>
    </details>
  );
}

type BrandProps = {
  merchant: string;
  logo?: string | undefined;
  /** The link back to the shop. While it is disabled it keeps its place. */
  back?: { href: string; label: string; isOpen: boolean } | undefined;
};

/** The shop's logo or name. With `back` it is also the link back to the shop. */
export function Brand({ merchant, logo, back }: BrandProps) {
  const mark = logo ? <img src={logo} alt={merchant} /> : <bdi>{merchant}</bdi>;
  if (!back) return <header class="brand">{mark}</header>;
  return (
    <header class="brand">
      <a href={back.href} aria-label={back.label} title={back.label} class={back.isOpen ? '' : 'closed'}>
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <path d="M16 10H4m5-5-5 5 5 5" />
        </svg>
        {mark}
      </a>
    </header>
  );
}
