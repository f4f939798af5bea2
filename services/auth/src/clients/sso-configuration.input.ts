import { z } from 'zod';
import { personIdentifiers } from './sso-configuration';

const optional = (label: string, longest: number) =>
  z
    .string(`${label} is not a text`)
    .trim()
    .max(longest, `${label} is longer than ${longest.toLocaleString('en')} characters`)
    .transform((given) => given || null)
    .nullable()
    .optional();

/** The input of administrators; `disabled` disables or enables the configuration. */
const written = z.strictObject({
  name: z.string('Name is missing').trim().min(1, 'Name is missing').max(128, 'Name is longer than 128 characters'),
  issuer: z.string('Issuer is missing').max(2048, 'Issuer is longer than 2,048 characters'),
  identifier: z.enum(personIdentifiers, 'Identifier must be primary_email or authentication_id'),
  emailVerifiedRequired: z.boolean('Email verified required must be true or false').optional(),
  clientId: optional('Client ID', 255),
  clientSecret: optional('Client secret', 1024),
  formerRedirectUri: z.boolean('Former redirect URI must be true or false').optional(),
  disabled: z.boolean('Disabled must be true or false').optional(),
});

/** The same with a check of the issuer. */
export const ssoConfigurationInput = (allowInsecure: boolean) =>
  written.extend({
    issuer: written.shape.issuer.superRefine((issuer, context) => {
      const problem = issuerProblem(issuer, allowInsecure);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }),
  });

export type SsoConfigurationInput = z.input<typeof written>;
export type SsoConfigurationChanges = { readonly [K in keyof SsoConfigurationInput]?: SsoConfigurationInput[K] };

/** Microsoft's multi-tenant issuers. Refused, because an attacker could create a tenant and sign for people of any account. */
const sharedTenants = /\/(common|organizations|consumers)(\/|$)/i;

/**
 * Why `issuer` is no valid issuer of an OpenID provider (OpenID Connect Discovery 1.0 §3: https, no query, no
 * fragment); undefined when it is. `allowInsecure` permits http.
 */
function issuerProblem(issuer: string, allowInsecure: boolean): string | undefined {
  if (!URL.canParse(issuer) || /[\s\\?#]/.test(issuer))
    return 'Issuer is not a valid address without query or fragment';
  const url = new URL(issuer);
  if (url.protocol !== 'https:' && !(allowInsecure && url.protocol === 'http:')) {
    return 'Issuer is not a valid https address';
  }
  if (url.username !== '' || url.password !== '') return 'Issuer may not hold credentials';
  if (/[{}]/.test(issuer)) return 'Issuer is a template: its variable parts must be filled in';
  if (sharedTenants.test(url.pathname)) return 'Issuer must be the one of a single tenant';
  return undefined;
}
