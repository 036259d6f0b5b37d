import { Component } from 'preact';
import type { CheckoutModel, HostedModule } from '../model.ts';
import { chosenMethod } from '../state.ts';
import { Methods } from './methods.tsx';
import { MessageAt } from './status-region.tsx';

/** `hosted` are the parts around the form on the hosted page. */
type Props = { checkout: CheckoutModel; hosted?: HostedModule | undefined };

/** The whole page: the form, or the view that replaces it. */
export class App extends Component<Props> {
  #alive = false;

  override componentDidMount(): void {
    this.#alive = true;
    this.props.checkout.watch((drawn) => this.setState({}, drawn));
    // The inputs have already adopted the text from before the script started.
    this.setState({});
  }

  override render() {
    const { checkout, hosted } = this.props;
    const { views, t, state } = checkout;
    const { stage } = state;
    if (stage.name === 'form' || stage.name === 'paying') return <Form checkout={checkout} hosted={hosted} />;
    // Without its view the state is shown as plain text.
    if (!views) return <p>{t(`${stage.name}_text`, { amount: checkout.money() })}</p>;
    return <views.Outcome checkout={checkout} stage={stage} hosted={hosted} focus={this.#alive} />;
  }
}

/**
 * The form, open or during a payment. No input has a name that could put a card into an address. Because of its method,
 * a submit before the script starts goes nowhere: one that a policy refuses would end the loading of the script.
 */
function Form({ checkout, hosted }: { checkout: CheckoutModel; hosted: HostedModule | undefined }) {
  const { t, state, parts } = checkout;
  const { view } = state;
  const paying = state.stage.name === 'paying';
  const method = chosenMethod(state);
  const isApm = method?.type === 'apm';
  const goesOn = isApm ? t('continue_to', { method: method.label }) : t('pay', { amount: checkout.money() });
  return (
    <form
      method="dialog"
      noValidate
      aria-labelledby="heading"
      onSubmit={(event) => {
        event.preventDefault();
        void checkout.submit();
      }}
    >
      {!hosted && (
        <header>
          <h1 id="heading">{t('heading', { merchant: view.merchant_name })}</h1>
          <p class="amount">{checkout.money()}</p>
        </header>
      )}
      <div>
        <Methods checkout={checkout} />
        {parts && <parts.Below checkout={checkout} />}
      </div>
      <div aria-live="polite">
        <MessageAt checkout={checkout} isAbove={false} />
      </div>
      <button
        type="submit"
        aria-disabled={paying}
        aria-describedby={isApm ? 'leaving' : undefined}
        class={paying ? 'busy' : ''}
      >
        <span>{paying ? t('paying') : goesOn}</span>
      </button>
    </form>
  );
}
