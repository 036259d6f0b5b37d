/** `a•••@example.com`: enough to know the shopper by who asks for them. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${[...email][0] ?? ''}•••${email.slice(at)}`;
}
