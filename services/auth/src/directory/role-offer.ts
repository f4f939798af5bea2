import type { Role } from '@itsm/shared/contracts/directory';
import type { Declaration } from '@itsm/shared/declared/language';
import type { GivenOf } from '@itsm/shared/declared/record-of';
import { primaryEmail, rolesField } from './person';

/** What an administrator gives for an offer. Without roles it withdraws one. */
export const roleOfferType = {
  name: 'role_offer',
  graphqlName: 'RoleOffer',
  plural: 'role_offers',
  label: 'Role offer',
  labelPlural: 'Role offers',
  description: 'Roles that are offered to a person of a partner account.',
  writes: { create: '' },
  nullIs: 'refused',
  fields: [
    { name: 'accountID', label: 'Account', kind: 'text', maxLength: 64, required: true, mustBeGiven: true },
    { ...primaryEmail, mustBeGiven: true },
    { ...rolesField, required: true, mustBeGiven: true },
  ],
} as const satisfies Declaration;

export type NewRoleOffer = GivenOf<typeof roleOfferType>;

/**
 * Roles in `accountId`, offered to the person with this address in a partner account. Until the person accepts, the offer reveals
 * nothing of that account, not even whether the person exists.
 */
export interface RoleOffer {
  readonly id: string;
  readonly accountId: string;
  /** The partner's account. */
  readonly homeAccountId: string;
  /** The address as the administrator typed it. */
  readonly primaryEmail: string;
  readonly roles: readonly Role[];
  /** The administrator. */
  readonly offeredBy: { readonly id: number; readonly name: string };
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** An offer as shown to the account that made it. One that was declined looks unanswered. */
export interface OpenOffer extends RoleOffer {
  readonly partnerName: string;
  /** Whether the accounts still trust each other; otherwise the offer cannot be accepted. */
  readonly canBeAccepted: boolean;
}

export const offerMilliseconds = 30 * 86_400_000;
/** Open offers of one account. */
export const mostOffers = 500;
