import type { ListSearch } from './list-search';

const shown = new Map<string, ListSearch>();

/** Stores what a list shows, so that the pages of its records lead back to it. */
export const rememberList = (place: string, search: ListSearch): void => void shown.set(place, search);

/** What the list showed when it was last seen. */
export const lastList = (place: string): ListSearch => shown.get(place) ?? {};
