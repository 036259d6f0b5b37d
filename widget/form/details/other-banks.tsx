import { Component } from 'preact';
import type { CheckoutModel } from '../model.ts';
import { chosenMethod, type State } from '../state.ts';
import { askedPaths, orderValue } from './asked.ts';

const BANK = 'bank_code';

/** Forgets the bank as another method is chosen that has other banks. Draws nothing. */
export class OtherBanks extends Component<{ checkout: CheckoutModel }> {
  /** The last chosen method that asked for a bank. */
  #method = '';

  override componentDidMount(): void {
    this.#follow();
  }

  override componentDidUpdate(): void {
    this.#follow();
  }

  override render() {
    return null;
  }

  #follow(): void {
    const { checkout } = this.props;
    const { state } = checkout;
    const before = this.#method;
    if (before === state.method || !askedPaths(state).has(BANK)) return;
    this.#method = state.method;
    const isOthers = before !== '' || wasTriedOtherwise(state);
    if (isOthers && !fits(state)) checkout.set({ values: { ...state.values, [BANK]: '' } });
  }
}

/** Whether what came with the session may be the bank of another method, which was tried before. */
function wasTriedOtherwise({ view, method }: State): boolean {
  return view.last_method !== undefined && method !== `apm ${view.last_method}`;
}

function fits(state: State): boolean {
  const method = chosenMethod(state);
  const code = state.values[BANK];
  const banks = method?.type === 'apm' ? method.banks : undefined;
  return !code || code === orderValue(state, BANK) || Boolean(banks?.some((bank) => bank.code === code));
}
