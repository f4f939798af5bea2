import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { isTooLong } from './content';
import type { Content, Source } from './content';
import { localizedHtml } from './localized-html';
import { formatTexts, mostLocales } from './translation';
import type { TranslationEdit } from './translation';

interface Edit {
  readonly source: Partial<Source>;
  readonly translations: readonly TranslationEdit[];
}

/** Throws a 422 for translations of texts that are no phrases, for too many locales, and when the translated HTML would be too large. */
export function checkTranslations({ source, translations }: Edit, content: Content): void {
  const errors = [...translations.flatMap((edit) => checkTexts(edit, content.phrases)), ...checkNumber(content)];
  if (errors.length > 0) throw validationFailed(errors);
  if (source.html === undefined && translations.length === 0) return;
  const crowded = content.translations.find(({ locale }) => isTooLong(localizedHtml(content, [locale])));
  if (crowded === undefined) return;
  throw validationFailed([
    source.html === undefined
      ? ['translations', `Translations make the HTML longer than 64 KB in ${crowded.locale}`]
      : ['html', `Html is longer than 64 KB in ${crowded.locale}`],
  ]);
}

function checkTexts({ locale, texts }: TranslationEdit, phrases: readonly string[]): FieldError[] {
  if (!texts) return [];
  const known = new Set(phrases);
  const unknown = [...texts.keys()].find((phrase) => !known.has(phrase));
  if (unknown !== undefined)
    return [['translations', `Translations of ${locale}: there is no phrase ${JSON.stringify(shortened(unknown))}`]];
  return isTooLong(formatTexts(texts))
    ? [['translations', `Translations of ${locale} are longer than 64 KB (65,536 bytes of UTF-8)`]]
    : [];
}

const checkNumber = ({ translations }: Content): FieldError[] =>
  translations.length > mostLocales ? [['translations', `Translations can be in at most ${mostLocales} locales`]] : [];

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
