import type { LifeCycleState, StoredState } from '../record-types/life-cycle';

/*
 * Records that are archived or in the trash are stored under another name of their account. So no list, count, search
 * or index range of the account contains them, and they have the same indexes among themselves. An id of an account has
 * no slash.
 */
const endings: Readonly<Record<LifeCycleState, string>> = { active: '', archived: '/archived', trashed: '/trashed' };

/** The stored name of the account for records in a state; those that are erased stay where they were. */
export const placeOf = (accountId: string, state: StoredState = 'active'): string =>
  accountId + endings[state === 'erased' ? 'trashed' : state];

export const placesOf = (accountId: string): string[] => Object.values(endings).map((ending) => accountId + ending);

/** The account of a stored name. */
export const accountOfPlace = (place: string): string => place.replace(/\/.*$/, '');

export const isActivePlace = (place: string): boolean => !place.includes('/');
