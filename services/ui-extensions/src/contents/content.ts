import type { Translation } from './translation';

/** What a designer writes; a text that was never given is `null`. */
export interface Source {
  readonly css: string | null;
  readonly html: string | null;
  readonly javascript: string | null;
  readonly formDefinition: string | null;
  readonly darkModeSafe: boolean;
}

/** A text that was generated from a written one: where it is kept, or for older versions itself. */
export type GeneratedText = string | { readonly textId: string };

/** What a version holds: the written texts and what was made of them when they were written. */
export interface Content extends Source {
  readonly useDesigner: boolean;
  readonly phrases: readonly string[];
  /** Where the phrases stand in the HTML; see `formatPlaces`. */
  readonly places: string;
  readonly translations: readonly Translation[];
  readonly compiledCss: GeneratedText;
  readonly formDefinitionReact: GeneratedText;
}

export const emptyContent: Content = {
  css: null,
  html: null,
  javascript: null,
  formDefinition: null,
  darkModeSafe: false,
  useDesigner: false,
  phrases: [],
  places: '',
  translations: [],
  compiledCss: '',
  formDefinitionReact: '',
};

/** 64 KB of UTF-8, for each written text. spec: Limits, "Text fields of UI extension versions". */
export const maxTextBytes = 65_536;

export const isTooLong = (text: string): boolean => Buffer.byteLength(text) > maxTextBytes;

/** `content` after an edit; `compiled` is what the written texts became. */
export const editedContent = (content: Content, written: Partial<Source>, compiled: Partial<Content>): Content => ({
  ...content,
  ...written,
  ...compiled,
  useDesigner: usesDesigner(content, written),
});

/** The designer is in use when the form definition is what was edited last. */
function usesDesigner(content: Content, written: Partial<Source>): boolean {
  if (written.formDefinition !== undefined) return written.formDefinition !== null && written.formDefinition !== '';
  const byHand = written.html !== undefined || written.css !== undefined || written.javascript !== undefined;
  return byHand ? false : content.useDesigner;
}

/** Where a phrase stands in the HTML: a text, or a whole attribute whose name has `nameLength` characters. */
export interface PhrasePlace {
  readonly start: number;
  readonly end: number;
  /** Index among the phrases. */
  readonly phrase: number;
  readonly nameLength: number;
}

/** One text, because a store needs far more room for a list of numbers. */
export const formatPlaces = (places: readonly PhrasePlace[]): string =>
  places.map(({ start, end, phrase, nameLength }) => `${start},${end},${phrase},${nameLength}`).join(' ');

export const parsePlaces = (text: string): PhrasePlace[] =>
  text === '' ? [] : text.split(' ').map((place) => toPlace(place.split(',').map(Number)));

const toPlace = ([start = 0, end = 0, phrase = 0, nameLength = 0]: readonly number[]): PhrasePlace => ({
  start,
  end,
  phrase,
  nameLength,
});
