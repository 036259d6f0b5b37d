/**
 * A text of others as it can be shown: control characters and marks of direction become signs that are seen, and do nothing.
 * The element around it isolates its direction.
 */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code === 0x200d || code === 0x200c) return sign;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? '␡' : '�';
  });
}
