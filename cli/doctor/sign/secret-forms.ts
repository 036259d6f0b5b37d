/** A form that the secret in a file may have, and in words how it differs from what the relay reads. */
export type SecretForm = { value: string; differs?: string };

/**
 * What a gateway may have made its signature with, if the file has this text: first what the relay reads, then the usual slips.
 * Empty if the file holds nothing.
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
