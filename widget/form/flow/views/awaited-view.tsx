import { Component } from 'preact';
import type { CheckoutModel, Platform } from '../../model.ts';
import type { ShopperAction } from '../../state.ts';
import { awaitedLabel, awaitedOf } from '../awaited.ts';

/** After this time a shopper who returned from the issuer may choose another way to pay. */
const LATE_MS = 5000;

/** A page with room for a QR code, on a device that is no phone. */
const DESKTOP = '(pointer: fine) and (hover: hover) and (min-width: 300px)';

type Props = { checkout: CheckoutModel };

/** The shopper's options for an awaited payment. The first is to continue it. */
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

/** The link to the issuer's page and, on a desktop, its QR code for a phone. */
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

/** Shows its content only if the wait becomes long. */
class Later extends Component<{ wait: Platform['wait'] }, { isLate: boolean }> {
  override async componentDidMount(): Promise<void> {
    await this.props.wait(LATE_MS);
    this.setState({ isLate: true });
  }

  override render() {
    return this.state.isLate ? this.props.children : null;
  }
}

/** The button that abandons a payment which is pending or being confirmed. */
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
