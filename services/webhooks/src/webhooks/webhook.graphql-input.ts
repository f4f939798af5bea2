import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { isRecordEvent } from '@itsm/shared/contracts/events';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { oneOfEvents } from './webhook.sdl';

/** Where the names in GraphQL and in REST differ. */
export const restNames: Readonly<Record<string, string>> = {
  mailExceptionsTo: 'mail_exceptions_to',
  webhookPolicyId: 'webhook_policy_id',
  openidConnectDiscovery: 'openid_connect_discovery',
};
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
