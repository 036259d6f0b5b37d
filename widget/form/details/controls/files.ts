/** What the relay takes. */
export const MAX_BYTES = 5_000_000;

export type ReadFile =
  | { kind: 'read'; name: string; type: string; data: string }
  | { kind: 'wrong'; key: 'file_kind' | 'file_large' | 'file_unreadable' };

/** Reads a picture or a PDF as base64. A picture that is too large, as phones take them, is made smaller. Never throws. */
export async function readDocument(file: File): Promise<ReadFile> {
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

/** How many bytes a base64 text stands for. */
export function bytesOf(data: string): number {
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

/** Draws a picture anew with fewer dots, until it is small enough; a document stays readable at the first of these sizes. */
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
