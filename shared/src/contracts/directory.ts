import { z } from 'zod';
import type { Contract } from './contract';

export const roles = [
  'account_administrator',
  'directory_administrator',
  'specialist',
  'auditor',
  'key_contact',
  'end_user',
] as const;
export type Role = (typeof roles)[number];

/** Roles that may create and change people, and see what they sign in with. */
export const personEditors = ['account_administrator', 'directory_administrator'] as const satisfies readonly Role[];

/** `as: 'provider'`: the named account is a provider of the declaring one. */
export const trustSchema = z.object({ accountId: z.string(), as: z.enum(['provider', 'customer']) });
export type Trust = z.infer<typeof trustSchema>;

export const accountSavedSchema = z.object({
  id: z.string(),
  name: z.string(),
  customUrl: z.string().nullable(),
  directoryAccountId: z.string().nullable(),
  /** The trusts that this account declares; a trust holds only when both sides declare it. */
  trusts: z.array(trustSchema).optional(),
  disabled: z.boolean(),
  /** Incremented by every save; an older message never overwrites a newer projection. */
  version: z.int(),
});
export type AccountSaved = z.infer<typeof accountSavedSchema>;

export const personSavedSchema = z.object({
  id: z.int(),
  accountId: z.string(),
  name: z.string(),
  primaryEmail: z.string(),
  sourceID: z.string().nullable(),
  /** Roles by account id; the person's own account is always included. */
  roles: z.record(z.string(), z.array(z.enum(roles))),
  disabled: z.boolean(),
  version: z.int(),
  /** These three are absent from messages of an earlier release. */
  locale: z.string().optional(),
  timeZone: z.string().optional(),
  /** Whether the person has followed a link that was mailed to the address. */
  verified: z.boolean().optional(),
  /** These four are absent from messages of an earlier release, too. */
  authenticationID: z.string().nullable().optional(),
  source: z.string().nullable().optional(),
  createdAt: z.iso.datetime().optional(),
  updatedAt: z.iso.datetime().optional(),
});

/** The columns of files with people, in their order: the name and the label of each field. */
export const personColumns = {
  name: 'Name',
  primaryEmail: 'Primary email',
  authenticationID: 'Authentication ID',
  roles: 'Roles',
  disabled: 'Disabled',
  locale: 'Locale',
  timeZone: 'Time zone',
  source: 'Source',
  sourceID: 'Source ID',
} as const;

export type PersonSaved = z.infer<typeof personSavedSchema>;

/** Published by `auth` for the projections of the other services. */
export const accountSaved: Contract<AccountSaved> = { name: 'auth.account.saved.v1', schema: accountSavedSchema };
export const personSaved: Contract<PersonSaved> = { name: 'auth.person.saved.v1', schema: personSavedSchema };
