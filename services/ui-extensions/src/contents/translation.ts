import { canonical } from '@itsm/shared/api/identity/languages';

/** What the phrases of one version are in one locale. `texts`: a JSON object of phrases and what they become, as it is stored. */
export interface Translation {
  /** Canonical BCP 47 tag. */
  readonly locale: string;
  readonly texts: string;
}

/** Phrases and what they become. */
export type Texts = ReadonlyMap<string, string>;

/** `texts`: what the locale has from now on; `null` takes the locale away. */
export interface TranslationEdit {
  readonly locale: string;
  readonly texts: Texts | null;
}

export const mostLocales = 20;

const longestTag = 35;

/** The canonical form of a locale that translations can have. */
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
 * What phrases become for a reader of `languages`, the best first: of the first language that has translations, from the
 * closest locale to the widest. A reader who prefers English to every translation reads the original texts.
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
