import { trustSchema } from '@itsm/shared/contracts/directory';
import { z } from 'zod';
import { optionalText, text } from '../directory/text-input';

/** The form of an account's id. */
export const isAccountId = (value: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(value);

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

/** A member that is absent stays as it is. */
export const accountChange = z
  .object({
    name: text('Name', 255),
    customUrl: optionalText('Custom URL', 255).refine(
      (value) => value === null || isWebAddress(value),
      'Custom URL is not a valid https address',
    ),
    trusts,
    disabled: z.boolean({ error: 'Disabled must be true or false' }),
  })
  .partial();
export type AccountChange = z.infer<typeof accountChange>;
