import { errorId, inputId } from '../../view/field.tsx';
import { FILE_TYPE } from '../catalogue.ts';
import type { ControlProps, Piece } from '../model.ts';
import { bytesOf, MAX_BYTES, readDocument } from './files.ts';

export const piece = (): Piece => ({ controls: { FileField } });

/** A picture or PDF of the shopper's document: chosen or taken with the phone's camera, and read in the page. */
function FileField({ form: { checkout }, field, label }: ControlProps) {
  const { t, state, boot } = checkout;
  const { name } = field;
  const error = state.errors[name];
  const data = state.values[name];
  const size = (bytes: number) => {
    const [unit, amount] = bytes < 1_000_000 ? ['kilobyte', bytes / 1000] : ['megabyte', bytes / 1_000_000];
    const form = { style: 'unit', unit, maximumFractionDigits: 0 } as const;
    return new Intl.NumberFormat(boot.locale, form).format(Math.max(1, Math.round(amount)));
  };
  const paying = state.stage.name === 'paying';

  const take = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    // The same file may be chosen again.
    input.value = '';
    if (!file) return;
    const read = await readDocument(file);
    const { [name]: _, ...errors } = checkout.state.errors;
    const { values, stage } = checkout.state;
    if (stage.name === 'paying') return;
    if (read.kind === 'wrong') {
      const message = { key: read.key, values: { size: size(MAX_BYTES) } };
      checkout.set({ values: { ...values, [name]: '' }, errors: { ...errors, [name]: message } });
      return;
    }
    const held = { [name]: read.data, [FILE_TYPE]: read.type, [fileName(name)]: read.name };
    checkout.set({ values: { ...values, ...held }, errors });
  };

  return (
    <div class="field file">
      <label for={inputId(name)}>{label}</label>
      <div class="pick">
        <input
          type="file"
          id={inputId(name)}
          accept="image/*,application/pdf"
          disabled={paying}
          aria-invalid={error !== undefined}
          aria-describedby={`${errorId(name)} ${chosenId(name)}`}
          onChange={(event) => void take(event.currentTarget)}
        />
        <span aria-hidden="true">{t('file_choose')}</span>
      </div>
      <div class="chosen" role="status">
        <span id={chosenId(name)}>
          {data && t('file_chosen', { name: state.values[fileName(name)] || label, size: size(bytesOf(data)) })}
        </span>
        {data && (
          <button
            type="button"
            disabled={paying}
            onClick={() => {
              const emptied = { [name]: '', [FILE_TYPE]: '', [fileName(name)]: '' };
              checkout.set({ values: { ...checkout.state.values, ...emptied } });
              checkout.focus(name);
            }}
          >
            {t('file_remove')}
          </button>
        )}
      </div>
      <p class="error" id={errorId(name)} aria-live="polite">
        {error && checkout.formatMessage(error)}
      </p>
    </div>
  );
}

/** Where the file's own name is held. */
function fileName(path: string): string {
  return `${path}.name`;
}

function chosenId(path: string): string {
  return `chosen-${path}`;
}
