import type { Role } from '@itsm/shared/contracts/directory';

/**
 * Roles in `accountId` for the person with this address in a partner's account. It shows nothing of that account, not even
 * whether there is such a person, until they accept.
 */
export interface RoleOffer {
  readonly id: string;
  readonly accountId: string;
  /** The partner's account. */
  readonly homeAccountId: string;
  /** As it was written. */
  readonly primaryEmail: string;
  readonly roles: readonly Role[];
  /** The administrator; null in what an earlier release wrote. */
  readonly offeredBy: { readonly id: number; readonly name: string } | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** An offer as the account that made it sees it: one that was declined looks like one that nobody has answered. */
export interface OpenOffer extends RoleOffer {
  readonly partnerName: string;
  /** Whether the accounts still trust each other, without which nobody can accept. */
  readonly canBeAccepted: boolean;
}

export const offerMilliseconds = 30 * 86_400_000;
/** Of one account at a time. */
export const mostOffers = 500;
