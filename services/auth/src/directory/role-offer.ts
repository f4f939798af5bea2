import type { Role } from '@itsm/shared/contracts/directory';

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
  /** The administrator; null in offers of an earlier release. */
  readonly offeredBy: { readonly id: number; readonly name: string } | null;
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
