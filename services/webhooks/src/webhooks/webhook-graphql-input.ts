import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { isRecordEvent } from '@itsm/shared/contracts/events';
import { AppError, validationFailed } from '@itsm/shared/base/errors/app-error';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { oneOfEvents } from './webhook.sdl';

/** Where the names in GraphQL and in REST differ. */
const restNames: Readonly<Record<string, string>> = {
  mailExceptionsTo: 'mail_exceptions_to',
  webhookPolicyId: 'webhook_policy_id',
  openidConnectDiscovery: 'openid_connect_discovery',
};
const graphqlNames = Object.fromEntries(Object.entries(restNames).map(([graphql, rest]) => [rest, graphql]));
/** Null means "not given" where there is no empty value. */
const neverNull = ['name', 'event', 'uri', 'disabled', 'openidConnectDiscovery'];

type Input = Readonly<Record<string, unknown>>;

/** Members of a GraphQL input under the names and in the form that REST gives them; a policy that cannot exist has the id 0. */
export function toRestForm(input: Input, nodeIdDomain: string): Input {
  const given = Object.entries(input).filter(([name, value]) => value !== null || !neverNull.includes(name));
  return Object.fromEntries(
    given.map(([name, value]) => [
      restNames[name] ?? name,
      name === 'webhookPolicyId' && typeof value === 'string'
        ? (parseRecordId(nodeIdDomain, 'WebhookPolicy', value) ?? 0)
        : value,
    ]),
  );
}

/** Refusals name members as GraphQL does. */
export async function withGraphqlNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    throw validationFailed((error.details.errors ?? []).map(([field, text]) => [graphqlNames[field] ?? field, text]));
  }
}

function parseEvent(value: unknown): string {
  if (typeof value === 'string' && isRecordEvent(value)) return value;
  throw new GraphQLError(`A WebhookEvent is ${oneOfEvents.toLowerCase()}`);
}

export const webhookEventScalar = new GraphQLScalarType({
  name: 'WebhookEvent',
  description: oneOfEvents,
  parseValue: parseEvent,
  parseLiteral: (node) => parseEvent(node.kind === Kind.STRING ? node.value : undefined),
});
