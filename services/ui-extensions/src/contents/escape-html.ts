const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** `text` as it stands in the text or in a quoted attribute of an HTML document. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => references[character] ?? character);
