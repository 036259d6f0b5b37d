import { Component, hydrate } from 'preact';
import type { CheckoutModel, HostedModule } from '../model.ts';
import type { OutcomeStage } from '../state.ts';
import { Summary } from './summary.tsx';

/** The time in which the outcome's heading has the focus and is announced. */
const READ_MS = 400;
/** How long the outcome stays before the page goes back to the shop by itself. */
const STAY_MS = 3000;

/** `isNew`: the outcome came while the page was open. */
type Props = { checkout: CheckoutModel; stage: OutcomeStage; title: string; isNew: boolean };
type State = { isReturning?: boolean };

/**
 * The shopper's options after an outcome: go back to the shop, or try again. After a payment the page goes back by
 * itself, unless the shopper stays.
 */
class WayOn extends Component<Props, State> {
  readonly #stay = new AbortController();
  /** Whether the page goes back by itself. */
  readonly #returns = isPaidNow(this.props);

  override componentDidMount(): void {
    const { checkout, title } = this.props;
    const { merchant_name } = checkout.state.view;
    document.title = `${title} · ${merchant_name}`;
    if (this.#returns) void this.#goBack();
  }

  override componentWillUnmount(): void {
    this.#stay.abort();
    const { t, state } = this.props.checkout;
    document.title = t('heading', { merchant: state.view.merchant_name });
  }

  /**
   * Goes back to the shop, unless the shopper moves the focus meanwhile or has more to read: then the shopper decides
   * when.
   */
  async #goBack(): Promise<void> {
    const { platform, state } = this.props.checkout;
    const { signal } = this.#stay;
    await platform.wait(READ_MS);
    if (signal.aborted) return;
    const start = document.activeElement;
    const onFocus = () => {
      if (document.activeElement !== start) this.#stayHere();
    };
    for (const type of ['focusin', 'focusout']) document.addEventListener(type, onFocus, { signal });
    this.setState({ isReturning: true });
    await platform.wait(STAY_MS);
    if (signal.aborted) return;
    if (this.props.checkout.state.view.paid_twice) this.setState({ isReturning: false });
    else platform.navigate(`/return/${state.view.session_id}`);
  }

  #stayHere(): void {
    this.#stay.abort();
    this.setState({ isReturning: false });
  }

  override render() {
    const { checkout, stage } = this.props;
    const { t, boot, state } = checkout;
    const { merchant_name: merchant, returns, session_id } = state.view;
    // The link back to the shop would end the shopper's return from the issuer.
    if (stage.name === 'leaving' || stage.name === 'away') return null;
    if (stage.name === 'incomplete') {
      return (
        <button type="button" onClick={() => location.reload()}>
          {t('try_again')}
        </button>
      );
    }
    const isWaiting = ['confirming', 'pending'].includes(stage.name);
    const href = returns ? `/return/${session_id}` : boot.allowed_origins[0];
    return (
      <>
        {this.#returns && (
          <p class="returning" role="status">
            {this.state.isReturning && t('returning', { merchant })}
          </p>
        )}
        {href && (
          <a href={href} class={isWaiting ? 'quiet' : ''}>
            {t('back', { merchant })}
          </a>
        )}
        {this.#returns && this.state.isReturning !== false && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              this.#stayHere();
              document.querySelector('h1')?.focus();
            }}
          >
            {t('stay')}
          </button>
        )}
      </>
    );
  }
}

function isPaidNow({ checkout, stage, isNew }: Props): boolean {
  const { returns, paid_twice } = checkout.state.view;
  return isNew && stage.name === 'approved' && returns && !paid_twice;
}

/** The parts around the form on the hosted page, as one module to load. */
export const hosted: HostedModule = {
  WayOn,
  start(checkout) {
    const root = document.getElementById('summary');
    if (!root) return;
    const order = root.querySelector('details');
    // Beside the form there is room for it. Only new browsers can open it by style sheets.
    if (order && matchMedia('(min-width: 900px)').matches) order.open = true;
    hydrate(<Summary checkout={checkout} />, root);
    followOrder(checkout);
  },
};

/** Shows the contents of the order after the shop has changed it; while they cannot be loaded, only the amount. */
function followOrder(checkout: CheckoutModel): void {
  let { revision } = checkout.boot.view;
  checkout.watch(async () => {
    const changed = checkout.state.view.revision;
    if (changed <= revision) return;
    revision = changed;
    const { fetchBoot } = await import('../texts.ts');
    const boot = await fetchBoot(location, new URLSearchParams(location.search));
    const { hosted } = checkout.boot;
    const nothing = { ...checkout.boot, ...(hosted && { hosted: { ...hosted, summary: { items: [], sums: [] } } }) };
    if (changed === revision) checkout.setLocale(boot && boot.view.revision >= changed ? boot : nothing);
  });
}
