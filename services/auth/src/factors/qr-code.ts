import qrcode from 'qrcode-generator';

/** The text as an SVG image, dark on light in either theme, as scanners expect it. */
export function toQrCode(text: string, label: string): string {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const rows = Array.from({ length: count }, (_none, row) => row);
  const path = rows
    .flatMap((row) => rows.filter((column) => code.isDark(row, column)).map((column) => `M${column} ${row}h1v1h-1z`))
    .join('');
  const box = `-4 -4 ${count + 8} ${count + 8}`;
  return `<svg class="qr" viewBox="${box}" role="img" aria-label="${label}"><rect x="-4" y="-4" width="100%" height="100%" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
