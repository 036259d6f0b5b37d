import { Component } from 'preact';
import type { CheckoutModel, Platform } from '../../model.ts';
import type { ShopperAction } from '../../state.ts';
import { awaitedLabel, awaitedOf } from '../outcome.ts';

/** After this time a shopper who is back from the issuer may choose another way. */
const LATE_MS = 5000;

/** A page that leaves room for a code, on a device that is no phone itself. */
const DESKTOP = '(pointer: fine) and (hover: hover) and (min-width: 300px)';

type Props = { checkout: CheckoutModel };

/** What the shopper can do about a payment that is awaited: to go on with it comes first. */
export function Awaited({ checkout }: Props) {
  const { stage, view } = checkout.state;
  const { t } = checkout;
  const method = awaitedLabel(view) || t('card');
  const can_abandon = awaitedOf(view)?.can_abandon;
  switch (stage.name) {
    case 'away':
      return (
        <>
          <Continue checkout={checkout} text={t('continue_with', { method })} />
          <div class="other">
            <ActionButton checkout={checkout} what="returned" text={t('have_paid')} />
            {can_abandon && <ActionButton checkout={checkout} what="abandon" text={t('did_not_pay')} />}
          </div>
        </>
      );
    case 'pending':
      return (
        <>
          <Continue checkout={checkout} text={t('open_again', { method })} />
          {can_abandon && <Abandon checkout={checkout} text={t('another_way')} />}
        </>
      );
    default:
      return view.redirected?.can_abandon ? (
        <Later wait={checkout.platform.wait}>
          <Abandon checkout={checkout} text={t('did_not_pay')} />
        </Later>
      ) : null;
  }
}

/** The way to the issuer's page, and on a desktop its QR code, by which a phone goes on. */
function Continue({ checkout: { t, state }, text }: Props & { text: string }) {
  const url = awaitedOf(state.view)?.continue_url;
  if (!url) return null;
  return (
    <>
      <a href={url} target="_top">
        {text}
      </a>
      {globalThis.matchMedia?.(DESKTOP).matches && (
        <p class="scan">
          <img src={url.replace('/issuer?', '/issuer.svg?')} alt={t('qr_code')} width="168" height="168" />
          {t('scan')}
        </p>
      )}
    </>
  );
}

/** Shows what the shopper needs only if the wait becomes long. */
class Later extends Component<{ wait: Platform['wait'] }, { isLate: boolean }> {
  override async componentDidMount(): Promise<void> {
    await this.props.wait(LATE_MS);
    this.setState({ isLate: true });
  }

  override render() {
    return this.state.isLate ? this.props.children : null;
  }
}

/** The way out of what is pending, or confirmed after the issuer's page. */
function Abandon({ checkout, text }: Props & { text: string }) {
  return (
    <div class="other">
      <p id="paid-already">{checkout.t('pending_paid')}</p>
      <ActionButton checkout={checkout} what="abandon" text={text} describedBy="paid-already" />
    </div>
  );
}

/** A button that stays focusable while it is busy. */
function ActionButton(props: Props & { what: ShopperAction; text: string; describedBy?: string }) {
  const { checkout, what, text, describedBy } = props;
  const { action } = checkout.state;
  return (
    <button
      type="button"
      aria-describedby={describedBy}
      aria-disabled={action !== undefined}
      class={action === what ? 'busy' : ''}
      onClick={() => void checkout.act(what)}
    >
      <span>{text}</span>
    </button>
  );
}
