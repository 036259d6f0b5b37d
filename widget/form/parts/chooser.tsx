import { Component, type ComponentChildren } from 'preact';
import { translateCount } from '../../locales/count.ts';
import type { CheckoutModel } from '../model.ts';
import { inputId } from '../view/field.tsx';
import { methodOption } from '../view/methods.tsx';
import { type Option, Radio, radioId, radiosIn } from '../view/radios.tsx';
import { finds } from './search.ts';

/** The number of methods that are visible at first. */
const FIRST = 5;

type Props = { checkout: CheckoutModel; panel: ComponentChildren };

/**
 * The chooser of many methods: radios of one group. The first ones and those that were chosen are visible, the others
 * are behind a button. Style sheets do this, so that it works before the script starts and nothing moves: rows are only
 * hidden. For the same reason the search is visible from the first paint on. A choice or a text from before the script
 * started is adopted.
 */
export class Chooser extends Component<Props, { query: string }> {
  override state = { query: '' };
  /** Once chosen, a method stays visible. */
  readonly #chosen = new Set<string>();
  #group: HTMLElement | null = null;
  #search: HTMLInputElement | null = null;

  override componentDidMount(): void {
    const { checkout } = this.props;
    const chosen = this.#radios().find((radio) => radio.checked);
    // At first this is the method of the last payment, if there is one.
    this.#chosen.add(checkout.state.method);
    if (chosen && chosen.value !== checkout.state.method) checkout.choose(chosen.value);
    if (this.#search?.value) this.setState({ query: this.#search.value });
  }

  override componentDidUpdate(): void {
    const { method } = this.props.checkout.state;
    this.#chosen.add(method);
    for (const radio of this.#radios()) radio.checked = radio.value === method;
  }

  override render() {
    const { checkout } = this.props;
    const { t, boot } = checkout;
    const { query } = this.state;
    const methods = this.#methods();
    const found = this.#found();
    const row = (method: Option) => this.#row(method, Boolean(query.trim()) && !found.includes(method.value));
    return (
      <fieldset class={query.trim() ? 'radios chooser searching' : 'radios chooser'}>
        <legend>{t('methods')}</legend>
        <div class="box">
          <input
            ref={(input) => {
              this.#search = input;
            }}
            id={inputId('method-search')}
            type="search"
            aria-label={t('methods_search')}
            placeholder={t('methods_search')}
            autocomplete="off"
            autocapitalize="off"
            autocorrect="off"
            spellcheck={false}
            enterkeyhint="search"
            onInput={(event) => this.setState({ query: event.currentTarget.value })}
            onKeyDown={(event) => event.key === 'Enter' && this.#enter(event)}
          />
          <svg viewBox="0 0 24 24" width="20" aria-hidden="true">
            <path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13m4.7 11.2L20 20" />
          </svg>
        </div>
        {/* There before it is filled: a live region that comes later is not read out. */}
        <p class={found.length ? 'unseen' : ''} role="status">
          {query.trim() && (found.length ? translateCount(t, boot, 'methods_found', found.length) : t('methods_none'))}
        </p>
        <div
          class="options"
          ref={(group) => {
            this.#group = group;
          }}
        >
          {methods.slice(0, FIRST).map(row)}
          <details>
            <summary>{t('methods_more')}</summary>
          </details>
          {methods.slice(FIRST).map(row)}
        </div>
      </fieldset>
    );
  }

  #row(option: Option, hidden: boolean) {
    const { checkout } = this.props;
    const { value } = option;
    const chosen = value === checkout.state.method;
    const kept = chosen || this.#chosen.has(value);
    return (
      <div key={value} class={kept ? 'option kept' : 'option'} hidden={hidden && !chosen}>
        <Radio name="method" option={option} chosen={chosen} onChoose={() => checkout.choose(value)} />
      </div>
    );
  }

  /** Chooses the first match. This never sends the form. */
  #enter(event: KeyboardEvent): void {
    event.preventDefault();
    const [first] = this.state.query.trim() ? this.#found() : [];
    if (!first || event.isComposing) return;
    this.props.checkout.choose(first);
    this.props.checkout.focus(radioId('method', first));
  }

  #methods(): Option[] {
    const { checkout, panel } = this.props;
    return checkout.state.view.methods.map((method) => methodOption(checkout, method, panel));
  }

  #found(): string[] {
    return this.#methods().flatMap(({ value, label }) => (finds(this.state.query, label) ? [value] : []));
  }

  #radios(): HTMLInputElement[] {
    return radiosIn(this.#group, 'method');
  }
}
