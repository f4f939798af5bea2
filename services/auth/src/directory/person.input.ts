import { asciiDomainOf } from '@itsm/shared/outbound/mail/address';
import { roles } from '@itsm/shared/contracts/directory';
import { z } from 'zod';
import { optionalText, text } from './text.input';

// No quoting, comments or lists, so that the text is one address in any context (HTML Standard: valid e-mail address).
const address = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}]([\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

function isLocale(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value)[0] === value;
  } catch {
    return false;
  }
}

function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

const members = {
  name: text('Name', 255),
  primaryEmail: text('Primary email', 254)
    .regex(address, 'Primary email is not an e-mail address')
    .refine(
      (value) => !address.test(value) || asciiDomainOf(value.slice(value.indexOf('@') + 1)) !== undefined,
      'Primary email has a domain to which no mail can be sent',
    )
    .refine((value) => value === value.normalize('NFKC'), 'Primary email has characters that stand for others'),
  authenticationID: optionalText('Authentication ID', 255),
  locale: text('Locale', 35).refine(isLocale, 'Locale is not a language tag such as en or nl-NL'),
  timeZone: text('Time zone', 64).refine(isTimeZone, 'Time zone is not a name such as Europe/Amsterdam'),
  source: optionalText('Source', 30),
  sourceID: optionalText('Source ID', 128),
  roles: z.array(z.enum(roles), { error: 'Roles are required' }).transform((given) => [...new Set(given)]),
  disabled: z.boolean({ error: 'Disabled must be true or false' }),
};

/** Absent members do not change. */
export const personChange = z.object(members).partial();
export type PersonChange = z.infer<typeof personChange>;

export const newPerson = personChange.omit({ disabled: true }).extend({
  name: members.name,
  primaryEmail: members.primaryEmail,
});
/** Roles for a person of a partner account; an empty list withdraws the offer. */
export const newRoleOffer = z.object({
  accountID: text('Account', 64),
  primaryEmail: members.primaryEmail,
  roles: members.roles,
});

export type NewPerson = z.infer<typeof newPerson>;
