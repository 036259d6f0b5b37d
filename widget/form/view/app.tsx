import { Component } from 'preact';
import type { CheckoutModel } from '../model.ts';
import { Form } from './form.tsx';
import { Outcome } from './outcome.tsx';

type Props = { checkout: CheckoutModel; hosted: boolean };

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
    const { stage } = checkout.state;
    return stage.name === 'form' || stage.name === 'paying' ? (
      <Form checkout={checkout} />
    ) : (
      <Outcome checkout={checkout} stage={stage} hosted={hosted} focus={this.#alive} />
    );
  }
}
