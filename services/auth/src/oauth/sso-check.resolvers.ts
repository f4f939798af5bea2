import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { readsPeople } from '@itsm/shared/api/identity/allow';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { parseText } from '@itsm/shared/declared/read-value';
import { ssoConfigurationType } from '../clients/sso-configuration';
import { maxTokenLength } from './identity-token';
import type { SsoCheck } from './sso-check.service';

/** SDL of the check of an SSO configuration. */
export const ssoCheckTypeDefs = /* GraphQL */ `
  extend type Mutation {
    "Fetches the documents of the provider, and says which person an identity token names, or why none; to name the person, the token needs \`person:Read\`. Nobody is signed in, and the token stays usable."
    ssoConfigurationCheck(input: SsoConfigurationCheckInput!): SsoConfigurationCheckPayload
  }

  input SsoConfigurationCheckInput {
    id: ID!
    "What the token must name as its audience; the client id of the configuration without it."
    audience: String
    "A signed JWT of the provider. Without it only the provider is checked."
    token: String
    clientMutationId: String
  }

  type SsoConfigurationCheckPayload {
    "In order; after a failed one there is none. Null when the input was refused."
    steps: [SsoConfigurationCheckStep!]
    errors: [ValidationError!]!
    clientMutationId: String
  }

  type SsoConfigurationCheckStep {
    "Discovery, Keys, Token or Person."
    name: String!
    successful: Boolean!
    "What was found, or why the step failed."
    text: String!
  }
`;

type CheckInput = IdInput & { readonly audience?: string | null; readonly token?: string | null };

const limits = { audience: 255, token: maxTokenLength } as const;

/** The mutation that tries out a configuration. It needs the scope of a change: it makes calls to the provider. */
export function createSsoCheckResolvers(ssoCheck: SsoCheck, nodeIdDomain: string) {
  const { idOf, mutation } = nodeResolvers({ type: ssoConfigurationType.graphqlName, nodeIdDomain, restNames: {} });
  return {
    Mutation: {
      ssoConfigurationCheck: mutation<CheckInput>('sso-configuration:Update', async ({ id, ...input }, caller) => {
        const { audience, token } = read(input);
        const given = { audience, token: token ?? '', namesPeople: readsPeople(caller) };
        return { steps: await ssoCheck.run(caller.accountId, idOf(id), given) };
      }),
    },
    SsoConfigurationCheckStep: { successful: ({ good }: { readonly good: boolean }) => good },
  };
}

function read(input: Omit<CheckInput, 'id'>): { readonly [M in keyof typeof limits]: string | null } {
  const errors: FieldError[] = [];
  const textOf = (member: keyof typeof limits, label: string): string | null => {
    const parsed = parseText(limits[member], input[member] ?? '');
    if ('value' in parsed) return parsed.value;
    errors.push([member, `${label} ${parsed.problem}`]);
    return null;
  };
  const texts = { audience: textOf('audience', 'Audience'), token: textOf('token', 'Token') };
  if (errors.length > 0) throw validationFailed(errors);
  return texts;
}
