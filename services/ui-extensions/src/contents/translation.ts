import { canonical } from '@itsm/shared/api/identity/languages';

/** The translations of one version into one locale. `texts`: a JSON object from phrase to translation, as stored. */
export interface Translation {
  /** Canonical BCP 47 tag. */
  readonly locale: string;
  readonly texts: string;
}

/** Translations by phrase. */
export type Texts = ReadonlyMap<string, string>;

/** `texts` replaces all translations of the locale; `null` removes the locale. */
export interface TranslationEdit {
  readonly locale: string;
  readonly texts: Texts | null;
}

export const mostLocales = 20;

const longestTag = 35;

/** The canonical form of a locale; undefined when translations cannot have it. */
export const parseLocale = (tag: string): string | undefined =>
  tag.length <= longestTag ? canonical(tag)[0] : undefined;

export const formatTexts = (texts: Texts): string => JSON.stringify(Object.fromEntries(texts));

export const textsOf = ({ texts }: Translation): Texts =>
  new Map(Object.entries(JSON.parse(texts) as Record<string, string>));

/** `translations` after an edit, by ascending locale. */
export function editedTranslations(
  translations: readonly Translation[],
  edits: readonly TranslationEdit[],
): readonly Translation[] {
  const locales = new Map(translations.map((translation) => [translation.locale, translation]));
  for (const { locale, texts } of edits) {
    if (texts) locales.set(locale, { locale, texts: formatTexts(texts) });
    else locales.delete(locale);
  }
  return [...locales.values()].sort((a, b) => (a.locale < b.locale ? -1 : 1));
}

/** `nl-BE` → `nl-BE`, `nl`. RFC 4647 §3.4, "Lookup". */
function lookupTags(locale: string): string[] {
  const parts = locale.split('-');
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join('-'));
}

/**
 * The translations for `languages`, in order of preference: those of the first language that has any, from the most
 * specific locale to the most general. When English comes first, the original texts are used.
 */
export function textsFor(translations: readonly Translation[], languages: readonly string[]): Texts {
  for (const language of languages) {
    const tags = lookupTags(language);
    const chain = tags.flatMap((tag) => translations.filter(({ locale }) => locale === tag));
    if (chain.length > 0) return new Map(chain.reverse().flatMap((translation) => [...textsOf(translation)]));
    if (tags.at(-1) === 'en') break;
  }
  return new Map();
}
