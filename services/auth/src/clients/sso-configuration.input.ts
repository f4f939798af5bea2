import { z } from 'zod';
import { issuerProblem } from './issuer';
import { personIdentifiers } from './sso-configuration';

/** What administrators write: `disabled` turns the configuration off and on. */
export const ssoConfigurationInput = (allowInsecure: boolean) =>
  z.strictObject({
    name: z.string('Name is missing').trim().min(1, 'Name is missing').max(128, 'Name is longer than 128 characters'),
    issuer: z
      .string('Issuer is missing')
      .max(2048, 'Issuer is longer than 2,048 characters')
      .superRefine((issuer, context) => {
        const problem = issuerProblem(issuer, allowInsecure);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      }),
    identifier: z.enum(personIdentifiers, 'Identifier must be primary_email or authentication_id'),
    disabled: z.boolean('Disabled must be true or false').optional(),
  });

export type SsoConfigurationInput = z.input<ReturnType<typeof ssoConfigurationInput>>;
export type SsoConfigurationChanges = { readonly [K in keyof SsoConfigurationInput]?: SsoConfigurationInput[K] };
