/** Surrogates without their other half, and the C0 controls but tab and line ends. */
// eslint-disable-next-line no-control-regex -- These are what is searched for.
const refused = /[\p{Surrogate}\u0000-\u0008\u000B\u000C\u000E-\u001F]/u;

/**
 * The first character that no text of the platform may have, with its place, such as "the character U+0000 at place 3";
 * undefined if there is none. Stores, mails and receivers of webhooks refuse or change them.
 */
export function refusedCharacterIn(text: string): string | undefined {
  const at = text.search(refused);
  if (at < 0) return undefined;
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return `the character U+${code} at place ${[...text.slice(0, at)].length + 1}`;
}
