import { trustSchema } from '@itsm/shared/contracts/directory';
import { hostNames, isAccountId } from '@itsm/shared/api/identity/account-id';
import { z } from 'zod';
import { optionalText, text } from './text.input';

/** Why the id is not allowed for a new account; undefined when it is. The id is also a host name label. */
export function refusedAccountId(id: string): string | undefined {
  if (!isAccountId(id))
    return 'Account ID must be of at most 63 lower-case letters, digits and hyphens, and begin with a letter or digit';
  // RFC 1123 §2.1, RFC 5890 §2.3.1.
  if (id.endsWith('-') || /^..--/.test(id))
    return 'Account ID must not end with a hyphen, nor have two as its third and fourth characters';
  if (hostNames.includes(id))
    return `Account ID must not be one of ${hostNames.join(', ')}: these are hosts of the platform`;
  return undefined;
}

function isWebAddress(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

const trusts = z
  .array(
    trustSchema.refine(({ accountId }) => isAccountId(accountId), 'Account ID is malformed'),
    {
      error: 'Trusts are required',
    },
  )
  .max(1_000, 'Trusts are too many (at most 1000)')
  .refine(
    (given) => new Set(given.map(({ accountId }) => accountId)).size === given.length,
    'Trusts name an account more than once',
  );

const members = {
  name: text('Name', 255),
  customUrl: optionalText('Custom URL', 255).refine(
    (value) => value === null || isWebAddress(value),
    'Custom URL is not a valid https address',
  ),
};

/** Absent members do not change. */
export const accountChange = z
  .object({
    ...members,
    trusts,
    secondFactorRequired: z.boolean({ error: 'Second factor required must be true or false' }),
    disabled: z.boolean({ error: 'Disabled must be true or false' }),
  })
  .partial();
export type AccountChange = z.infer<typeof accountChange>;

/** The operator's input. Absent members do not change; the name of a new account defaults to its id. */
export const accountInput = z
  .object({ ...members, directoryAccountId: z.string().nullable() })
  .partial()
  .extend({ id: z.string() });
export type AccountInput = z.input<typeof accountInput>;
