import { trustSchema } from '@itsm/shared/contracts/directory';
import { AppError } from '@itsm/shared/errors/app-error';
import { hostNames, isAccountId } from '@itsm/shared/identity/account-id';
import { z } from 'zod';
import { optionalText, text } from '../directory/text-input';

/** Refuses an id that no account can be given: the host of the account could not have it as its name. */
export function checkNewAccountId(id: string): void {
  const refuse = (why: string): never => {
    const text = `ID ${why}`;
    throw new AppError('validation_failed', text, { errors: [['id', text]] });
  };
  if (!isAccountId(id)) refuse('must be a lower-case slug such as wdc');
  // RFC 1123 §2.1, RFC 5890 §2.3.1.
  if (id.endsWith('-') || /^..--/.test(id))
    refuse('must not end with a hyphen, nor have two as its third and fourth characters');
  if (hostNames.includes(id)) refuse(`must not be one of ${hostNames.join(', ')}: these are hosts of the platform`);
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
