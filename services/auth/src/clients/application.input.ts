import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { scopeSchema } from '@itsm/shared/contracts/scopes';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { z } from 'zod';
import { grantTypes, tokenExchange } from './application';
import type { Application } from './application';
import { parseClientKeys } from './client-keys';
import { isRedirectUri } from './redirect-uri';

const controls = /[\p{Cc}\p{Cf}]/u;
const text = (label: string, most: number) =>
  z.string(`${label} is not a text`).trim().max(most, `${label} is too long (at most ${most} characters)`);
const line = (label: string, most: number) =>
  text(label, most)
    .min(1, `${label} is required`)
    .refine((value) => !controls.test(value), `${label} may not hold control characters`);

const isHttps = (uri: string): boolean => URL.canParse(uri) && new URL(uri).protocol === 'https:';

/** Limits the length of action and account names. */
const isShort = ({ actions, account = '' }: Scope): boolean =>
  [...actions, account].every(({ length }) => length <= 80);

export const limits = { name: 80, description: 2000, uri: 1000, audience: 255, redirectUris: 20, scopes: 50 } as const;

const clientKeys = z.string('Keys are not a text').transform((text, context) => {
  const parsed = parseClientKeys(text);
  if ('keys' in parsed) return JSON.stringify(parsed);
  context.addIssue(parsed.problem);
  return z.NEVER;
});

/** The settings of an application, as administrators send them. */
export const applicationSettings = z.strictObject({
  name: line('Name', limits.name),
  description: text('Description', limits.description),
  homepage: line('Homepage', limits.uri).refine(isHttps, 'Homepage is not a valid https address').nullable(),
  grantTypes: z
    .array(z.enum(grantTypes, `Grant type is not one of ${grantTypes.join(', ')}`), 'Grant types are not a list')
    .min(1, 'At least one grant type is required')
    .transform((given) => [...new Set(given)]),
  redirectUris: z
    .array(
      line('Redirect URI', limits.uri).refine(
        isRedirectUri,
        'Redirect URI must be https, http on a loopback address, or an own scheme such as com.example.app, without #',
      ),
    )
    .max(limits.redirectUris, `At most ${limits.redirectUris} redirect URIs are possible`)
    .transform((given) => [...new Set(given)]),
  scopes: z
    .array(scopeSchema.refine(isShort, 'Scope has a name that is too long'), 'Scopes are not a list')
    .min(1, 'At least one scope is required')
    .max(limits.scopes, `At most ${limits.scopes} scopes are possible`),
  ssoConfigurationId: z.int('SSO configuration was not found').nullable(),
  audience: line('Audience', limits.audience).nullable(),
  actsAsPersonId: z.int('Person was not found').nullable(),
  pkceRequired: z.boolean('PKCE required must be true or false'),
  jwks: clientKeys.nullable(),
  jwksUri: line('JWKS URI', limits.uri).nullable(),
  privateKeyJwtRequired: z.boolean('Private key JWT required must be true or false'),
});
export type ApplicationSettings = z.output<typeof applicationSettings>;

/** Settings of a new application: name and scopes are required, the others have these defaults. */
export const newApplicationSettings = z.strictObject({
  ...applicationSettings.shape,
  description: applicationSettings.shape.description.default(''),
  homepage: applicationSettings.shape.homepage.default(null),
  grantTypes: applicationSettings.shape.grantTypes.default(['authorization_code', 'refresh_token']),
  redirectUris: applicationSettings.shape.redirectUris.default([]),
  ssoConfigurationId: applicationSettings.shape.ssoConfigurationId.default(null),
  audience: applicationSettings.shape.audience.default(null),
  actsAsPersonId: applicationSettings.shape.actsAsPersonId.default(null),
  pkceRequired: applicationSettings.shape.pkceRequired.default(true),
  jwks: applicationSettings.shape.jwks.default(null),
  jwksUri: applicationSettings.shape.jwksUri.default(null),
  privateKeyJwtRequired: applicationSettings.shape.privateKeyJwtRequired.default(false),
});

/** Partial settings: only the changed members. */
export const applicationChanges = applicationSettings.partial().extend({
  disabled: z.boolean('Disabled must be true or false').optional(),
});
export type ApplicationChanges = z.input<typeof applicationChanges>;
export type NewApplicationSettings = z.input<typeof newApplicationSettings>;

type Needs = Pick<Application, 'grantTypes' | 'redirectUris' | 'actsAsPersonId' | 'ssoConfigurationId' | 'audience'>;

/** Field errors for settings that the chosen grant types need but lack. */
export function missingFor(settings: Needs): FieldError[] {
  const uses = (type: (typeof grantTypes)[number]) => settings.grantTypes.includes(type);
  const missing: FieldError[] = [];
  if (uses('authorization_code') && settings.redirectUris.length === 0) {
    missing.push(['redirectUris', 'A redirect URI is required for the authorization code grant']);
  }
  if (uses('refresh_token') && !uses('authorization_code')) {
    missing.push(['grantTypes', 'Refresh tokens come with the authorization code grant only']);
  }
  if (uses('client_credentials') && settings.actsAsPersonId === null) {
    missing.push(['actsAsPersonId', 'A person to act as is required for the client credentials grant']);
  }
  if (uses(tokenExchange) && settings.ssoConfigurationId === null) {
    missing.push(['ssoConfigurationId', 'An SSO configuration is required for token exchange']);
  }
  if (uses(tokenExchange) && settings.audience === null) {
    missing.push(['audience', 'An audience is required for token exchange']);
  }
  return missing;
}
