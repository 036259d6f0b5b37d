import { Component } from 'preact';
import type { CheckoutModel } from '../model.ts';
import type { NamedCard } from '../state.ts';

type Props = NamedCard & { checkout: CheckoutModel };

/** Removes a saved card after a question. The button that changes nothing has the focus. */
export class RemoveCard extends Component<Props, { asks: boolean; isSent: boolean }> {
  override state = { asks: false, isSent: false };
  #first: HTMLButtonElement | null = null;

  override render() {
    const { t } = this.props.checkout;
    const { asks, isSent } = this.state;
    const ref = (button: HTMLButtonElement | null) => {
      this.#first = button;
    };
    if (!asks) {
      return (
        <div class="remove">
          <div class="offers">
            <button ref={ref} key="open" type="button" onClick={() => this.#ask(true)}>
              {t('card_remove')}
            </button>
          </div>
        </div>
      );
    }
    return (
      <fieldset class="remove" aria-busy={isSent}>
        <legend>{t('card_remove_ask', { card: this.props.card })}</legend>
        <div class="offers">
          <button ref={ref} key="keep" type="button" onClick={() => this.#ask(false)}>
            {t('card_keep')}
          </button>
          <button key="remove" type="button" aria-disabled={isSent} onClick={() => void this.#remove()}>
            {t('card_remove')}
          </button>
        </div>
      </fieldset>
    );
  }

  #ask(asks: boolean): void {
    if (!this.state.isSent) this.setState({ asks }, () => this.#first?.focus());
  }

  async #remove(): Promise<void> {
    const { checkout, token_id, card } = this.props;
    if (this.state.isSent) return;
    this.setState({ isSent: true });
    await checkout.act({ token_id, card });
    this.setState({ isSent: false });
  }
}
