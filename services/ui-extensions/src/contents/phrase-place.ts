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
