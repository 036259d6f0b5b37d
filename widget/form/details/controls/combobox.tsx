import { Component } from 'preact';
import { translateCount } from '../../../locales/count.ts';
import type { CheckoutModel } from '../../model.ts';
import { errorId, inputId } from '../../view/field.tsx';
import type { ControlProps, Feature } from '../context.ts';
import { findOptions, namedOption, type Option, OptionList, optionId } from './options.tsx';

type State = { open: boolean; query: string; active: number };

export const feature = (): Feature => ({ controls: { Combobox } });

const CLOSED: State = { open: false, query: '', active: -1 };
/** The number of options that the page keys skip. */
const PAGE = 10;
/** The free space below the list, in CSS pixels. */
const EDGE = 8;

/**
 * One of many options, found by typing (the editable combobox with a list of the ARIA authoring practices). The value
 * is the code of the option. A text that names no option stays as typed, and the field's rule refuses it. The list lies
 * over the content below, so that nothing moves when it opens and closes; if the edge of the frame would cut it, the
 * page grows. A text that was typed before the script started is adopted.
 */
class Combobox extends Component<ControlProps, State> {
  override state = CLOSED;
  #input: HTMLInputElement | null = null;
  #list: HTMLElement | null = null;
  /** The value of the input's text. */
  #shown = '';
  /** The text that was written into the input, not typed. */
  #written = '';

  override componentDidMount(): void {
    if (!this.#input?.value) this.#write();
    else if (this.#input === document.activeElement) this.#settle();
    else this.#leave();
    window.visualViewport?.addEventListener('resize', this.#show);
  }

  override componentWillUnmount(): void {
    window.visualViewport?.removeEventListener('resize', this.#show);
    this.state = CLOSED;
    this.#makeRoom();
  }

  override componentDidUpdate(_: ControlProps, before: State): void {
    this.#write();
    const { open, query } = this.state;
    if (open !== before.open || query !== before.query) this.#makeRoom();
    if (open && !before.open) this.#show();
    if (this.state.active !== before.active) {
      this.#list?.children[this.state.active]?.scrollIntoView({ block: 'nearest' });
    }
  }

  override render() {
    const { label } = this.props;
    const { t, boot, state } = this.#checkout;
    const name = this.#name;
    const { open, active } = this.state;
    const found = open ? this.#found() : [];
    const listId = `${inputId(name)}-list`;
    const code = state.values[name];
    return (
      <>
        <input
          ref={(input) => {
            this.#input = input;
          }}
          id={inputId(name)}
          type="text"
          role="combobox"
          aria-expanded={open}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? optionId(listId, active) : undefined}
          aria-required={true}
          aria-invalid={state.errors[name] !== undefined}
          aria-describedby={errorId(name)}
          placeholder={t('bank_search')}
          autocomplete="off"
          autocapitalize="off"
          autocorrect="off"
          spellcheck={false}
          readonly={state.stage.name === 'paying'}
          onInput={(event) => this.#type(event.currentTarget.value)}
          onClick={() => this.#open()}
          onKeyDown={(event) => this.#press(event)}
          onBlur={() => this.#leave()}
        />
        <button
          type="button"
          class="clear"
          tabIndex={-1}
          aria-label={code ? t('clear') : label}
          aria-expanded={code ? undefined : open}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => this.#pressButton()}
        >
          <svg viewBox="0 0 24 24" width="20" aria-hidden="true">
            <path d={code ? 'M7 7l10 10M17 7 7 17' : 'm6 9.5 6 6 6-6'} />
          </svg>
        </button>
        {/* There before it is filled: a live region that comes later is not read out. */}
        <p class={open && !found.length ? 'none' : 'unseen'} role="status">
          {open && (found.length ? translateCount(t, boot, 'banks_found', found.length) : t('bank_none'))}
        </p>
        <OptionList
          list={(list) => {
            this.#list = list;
          }}
          id={listId}
          label={label}
          open={open}
          options={found}
          active={active}
          chosen={code}
          onChoose={(option) => this.#take(option)}
        />
      </>
    );
  }

  get #checkout(): CheckoutModel {
    return this.props.form.checkout;
  }

  get #name(): string {
    return this.props.field.name;
  }

  get #options(): readonly Option[] {
    return this.props.field.choices ?? [];
  }

  /** The matching options; all options while nothing was typed since the list was opened. */
  #found(): readonly Option[] {
    return findOptions(this.#options, this.state.query);
  }

  #type(text: string): void {
    this.setState({ open: true, query: text, active: -1 });
    this.#store(namedOption(this.#options, text)?.code ?? text);
  }

  /** Opens the list at the chosen option, otherwise at this one. */
  #open(index = -1): void {
    if (this.state.open || this.#checkout.state.stage.name === 'paying') return;
    const chosen = this.#options.findIndex(({ code }) => code === this.#shown);
    this.setState({ open: true, query: '', active: chosen >= 0 ? chosen : index });
  }

  #take({ code, name }: Option): void {
    this.setState(CLOSED);
    this.#store(code);
    this.#put(name);
  }

  #clear(): void {
    this.#type('');
    this.setState(CLOSED);
    this.#put('');
  }

  #put(text: string): void {
    this.#written = text;
    if (this.#input) this.#input.value = text;
  }

  #pressButton(): void {
    if (this.#checkout.state.stage.name === 'paying') return;
    this.#input?.focus();
    if (this.#shown) this.#clear();
    else if (this.state.open) this.setState(CLOSED);
    else this.#open();
  }

  /** A typed text that names one option chooses it; otherwise the field's rule reports the fault. */
  #leave(): void {
    this.#settle();
    this.setState(CLOSED);
    this.#checkout.leave(this.#name);
  }

  #settle(): void {
    const text = this.#input?.value ?? '';
    if (text === this.#written) return;
    const named = namedOption(this.#options, text);
    if (named) this.#take(named);
    else this.#store(text.trim());
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const found = this.#found();
    const { open, active } = this.state;
    const last = found.length - 1;
    const to = (index: number) => this.setState({ open: true, active: Math.max(0, Math.min(last, index)) });
    const moves: Record<string, (() => void) | false> = {
      ArrowDown: () => (open ? to(active < last ? active + 1 : 0) : this.#open(event.altKey ? -1 : 0)),
      ArrowUp: () => (open ? to(active > 0 ? active - 1 : last) : this.#open(last)),
      PageDown: open && (() => to(active + PAGE)),
      PageUp: open && (() => to(active - PAGE)),
      // Without an active option these keys move the caret.
      Home: open && active >= 0 && (() => to(0)),
      End: open && active >= 0 && (() => to(last)),
      // While the list is open, this key never sends the form.
      Enter: open && (() => this.#enter(found[active] ?? (found.length === 1 ? found[0] : undefined))),
      Escape: () => (open ? this.setState(CLOSED) : this.#clear()),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  #enter(option: Option | undefined): void {
    if (option) this.#take(option);
    else this.#settle();
  }

  /** On a phone the keyboard leaves little room: the field moves to the top, and the list is below. */
  #show = (): void => {
    if (this.state.open && navigator.maxTouchPoints > 0) {
      this.#input?.closest('.field')?.scrollIntoView({ block: 'start' });
    }
  };

  #makeRoom(): void {
    const page = this.#list?.closest('main');
    if (!this.#list || !page) return;
    page.style.minHeight = '';
    const { bottom } = this.#list.getBoundingClientRect();
    const { top } = page.getBoundingClientRect();
    if (this.state.open) page.style.minHeight = `${Math.ceil(bottom - top + EDGE)}px`;
  }

  #store(value: string): void {
    this.#shown = value;
    if ((this.#checkout.state.values[this.#name] ?? '') !== value) {
      this.#checkout.type(this.#name, value);
    }
  }

  /** Writes a value that was not typed: prefilled, or cleared. */
  #write(): void {
    const value = this.#checkout.state.values[this.#name] ?? '';
    if (value === this.#shown || !this.#input) return;
    this.#shown = value;
    this.#put(this.#options.find(({ code }) => code === value)?.name ?? '');
  }
}
