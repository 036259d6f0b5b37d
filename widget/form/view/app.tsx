import { Component } from 'preact';
import type { CheckoutModel, HostedModule } from '../model.ts';
import { Form } from './form.tsx';

/** `hosted` is what is around the form on a page of its own. */
type Props = { checkout: CheckoutModel; hosted?: HostedModule | undefined };

/** The whole page: the form, or what stands in its place. */
export class App extends Component<Props> {
  #alive = false;

  override componentDidMount(): void {
    this.#alive = true;
    this.props.checkout.watch((drawn) => this.setState({}, drawn));
    // The inputs have already adopted what was typed before the script came.
    this.setState({});
  }

  override render() {
    const { checkout, hosted } = this.props;
    const { flow, t, state } = checkout;
    const { stage } = state;
    if (stage.name === 'form' || stage.name === 'paying') return <Form checkout={checkout} hosted={hosted} />;
    // Without its view the state is shown as plain text.
    if (!flow) return <p>{t(`${stage.name}_text`, { amount: checkout.money() })}</p>;
    return <flow.Outcome checkout={checkout} stage={stage} hosted={hosted} focus={this.#alive} />;
  }
}
