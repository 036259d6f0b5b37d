/** A line of CSV (RFC 4180). */
export function csvLine(values: readonly string[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** A value as a cell that no spreadsheet takes for a formula. */
function cell(value: string): string {
  const safe = /^[\s]*[=+\-@|%]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
