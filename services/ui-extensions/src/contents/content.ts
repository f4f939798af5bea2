import type { Translation } from './translation';

/** The texts that a designer writes; `null` where never given. */
export interface Source {
  readonly css: string | null;
  readonly html: string | null;
  readonly javascript: string | null;
  readonly formDefinition: string | null;
  readonly darkModeSafe: boolean;
}

/** A generated text: a reference to it, or the text itself in versions of earlier releases. */
export type GeneratedText = string | { readonly textId: string };

/** The content of a version: the written texts and what was compiled from them. */
export interface Content extends Source {
  readonly useDesigner: boolean;
  readonly phrases: readonly string[];
  /** Positions of the phrases in the HTML; see `formatPlaces`. */
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

/** The content after an edit; `compiled` belongs to the written texts. */
export const editedContent = (content: Content, written: Partial<Source>, compiled: Partial<Content>): Content => ({
  ...content,
  ...written,
  ...compiled,
  useDesigner: usesDesigner(content, written),
});

/** Whether the version was edited with the designer: its form definition was written last. */
function usesDesigner(content: Content, written: Partial<Source>): boolean {
  if (written.formDefinition !== undefined) return written.formDefinition !== null && written.formDefinition !== '';
  const byHand = written.html !== undefined || written.css !== undefined || written.javascript !== undefined;
  return byHand ? false : content.useDesigner;
}

/** The position of a phrase in the HTML: a text, or a whole attribute whose name has `nameLength` characters. */
export interface PhrasePlace {
  readonly start: number;
  readonly end: number;
  /** Index into the phrases. */
  readonly phrase: number;
  readonly nameLength: number;
}

/** Encodes the places as one text, because BSON needs far more room for a list of numbers. */
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
