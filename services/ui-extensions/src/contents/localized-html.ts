import { parsePlaces } from './content';
import type { Content, PhrasePlace } from './content';
import { textsFor } from './translation';

type Localizable = Pick<Content, 'html' | 'phrases' | 'places' | 'translations'>;

/**
 * The HTML translated for `languages`, in order of preference. Phrases without a translation stay. Their positions were
 * found when the HTML was written, and translations are escaped, so they stay text.
 */
export function localizedHtml(
  { html, phrases, places, translations }: Localizable,
  languages: readonly string[],
): string {
  if (html === null) return '';
  const texts = textsFor(translations, languages);
  if (texts.size === 0) return html;
  const pieces: string[] = [];
  let copied = 0;
  for (const place of parsePlaces(places)) {
    const text = texts.get(phrases[place.phrase] ?? '');
    if (text === undefined) continue;
    pieces.push(html.slice(copied, place.start), written(html, place, text));
    copied = place.end;
  }
  return pieces.join('') + html.slice(copied);
}

function written(html: string, { start, nameLength }: PhrasePlace, text: string): string {
  return nameLength === 0 ? escapeHtml(text) : `${html.slice(start, start + nameLength)}="${escapeHtml(text)}"`;
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** `text` escaped for the text or a quoted attribute of an HTML document. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => references[character] ?? character);
