/** A possible form of the secret in a file, and its difference from the one that the relay reads, in words. */
export type SecretForm = { value: string; differs?: string };

/**
 * The secrets that a gateway may have used if the file has this text: first the one that the relay reads, then the
 * usual mistakes. Empty for an empty file.
 */
export function secretForms(text: string): SecretForm[] {
  const value = text.trim();
  if (value === '') return [];
  const unquoted = /^(["'])(.+)\1$/s.exec(value)?.[2];
  const forms: SecretForm[] = [
    { value },
    ...(unquoted ? [{ value: unquoted, differs: 'without its quotation marks' }] : []),
    { value: `${value}\n`, differs: 'with a newline at its end' },
    { value: `${value}\r\n`, differs: 'with a newline of Windows (CR, LF) at its end' },
    { value: text, differs: 'with the white space around it' },
  ];
  return forms.filter((form, at) => forms.findIndex((one) => one.value === form.value) === at);
}
