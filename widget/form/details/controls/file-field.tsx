import { errorId, inputId } from '../../view/field.tsx';
import { FILE_TYPE } from '../catalogue.ts';
import type { ControlProps, Feature } from '../context.ts';

/** The maximum that the relay accepts. */
export const MAX_BYTES = 5_000_000;

type ReadFile =
  | { kind: 'read'; name: string; type: string; data: string }
  | { kind: 'wrong'; key: 'file_kind' | 'file_large' | 'file_unreadable' };

export const feature = (): Feature => ({ controls: { FileField } });

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
    // Allows choosing the same file again.
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
    checkout.set({ values: { ...values, ...held }, errors, wrong: name });
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
      <p class="error" id={errorId(name)}>
        {error && checkout.formatMessage(error, label)}
      </p>
    </div>
  );
}

/** The path under which the name of the file is stored. */
function fileName(path: string): string {
  return `${path}.name`;
}

function chosenId(path: string): string {
  return `chosen-${path}`;
}

/**
 * Reads a picture or a PDF as base64. A picture that is too large, such as a phone's photo, is made smaller. Never
 * throws.
 */
async function readDocument(file: File): Promise<ReadFile> {
  if (!/^(image\/.+|application\/pdf)$/.test(file.type)) return { kind: 'wrong', key: 'file_kind' };
  try {
    const small = file.size > MAX_BYTES && file.type.startsWith('image/') ? await shrink(file) : file;
    if (!small || small.size > MAX_BYTES) return { kind: 'wrong', key: 'file_large' };
    const data = await base64Of(small);
    if (!data) return { kind: 'wrong', key: 'file_unreadable' };
    return { kind: 'read', name: file.name, type: small.type, data };
  } catch {
    return { kind: 'wrong', key: 'file_unreadable' };
  }
}

/** The number of bytes of a base64 text. */
function bytesOf(data: string): number {
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4);
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Draws a picture with fewer pixels until it is small enough. A document is readable at the first of these sizes. */
async function shrink(file: File): Promise<Blob | undefined> {
  if (typeof createImageBitmap !== 'function') return undefined;
  const picture = await createImageBitmap(file);
  for (const longest of [2400, 1800, 1200]) {
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.8));
    if (blob && blob.size <= MAX_BYTES) return blob;
  }
  return undefined;
}
