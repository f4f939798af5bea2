/** A line of a CSV file (RFC 4180). */
export const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

/** Quoted is what another reader might split, cut or trim. No cell is altered, as an import is to read the same. */
const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
