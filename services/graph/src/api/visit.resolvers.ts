import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import { checkSeesAccount } from '@itsm/shared/api/identity/sees-account';
import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Notices } from '../notices/module';
import type { Visit } from '../notices/visit.repository';
import type { ReaderOf } from '../read/record-reader';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { namedRecord } from './named-record';
import { personReference } from './record.resolvers';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly visits: Notices['visits'];
  readonly readerOf: ReaderOf;
  readonly nodeIdDomain: string;
  readonly now: Clock;
}

type Input = MutationInput & { readonly id: string; readonly writing?: boolean | null };

/** A visit that was not said again for so long is over: three times what the console waits. */
const visitSeconds = 45;

/** Who else looks at a record. */
export const visitTypeDefs = /* GraphQL */ `
  "Somebody else who has the record on their screen."
  type Visit {
    person: Person
    "Whether they are writing a note."
    writing: Boolean!
  }

  input VisitUpdateInput {
    "The record."
    id: ID!
    "Whether the caller is writing a note."
    writing: Boolean
    clientMutationId: String
  }

  type VisitUpdatePayload {
    "The version of the record; null when the input was refused."
    version: Int
    "Who has said so in the last ${visitSeconds} seconds, the latest first; at most ten."
    others: [Visit!]
    errors: [ValidationError!]!
    clientMutationId: String
  }

  extend type Mutation {
    "Says that the caller looks at the record, and returns who else does; for those who work with the account's records."
    visitUpdate(input: VisitUpdateInput!): VisitUpdatePayload
  }
`;

/** Resolvers of who looks at a record. */
export function createVisitResolvers({ types, visits, readerOf, nodeIdDomain, now }: Dependencies): ResolverMap {
  return {
    Visit: {
      person: ({ personId }: Visit, _args: unknown, context: SubgraphContext) =>
        personReference(readerOf(context), context.caller, personId),
    },
    Mutation: {
      visitUpdate: allowed<MutationArgs<Input>>('notice:Update', (_parent, { input }, context) =>
        toPayload(input, async ({ id: nodeId, writing }) => {
          const { caller } = context;
          const { type, id } = namedRecord(types, nodeIdDomain, nodeId);
          checkAllowed(caller, `${modelName(type)}:Read`);
          checkSeesAccount(caller);
          const record = await readerOf(context).load(type.name, id);
          if (!record) throw notFound();
          const { accountId, personId } = caller;
          const visited = { accountId, recordType: type.name, recordId: id };
          const at = now();
          await visits.visit(visited, { personId, writing: writing === true }, at);
          const since = new Date(at.getTime() - visitSeconds * 1_000);
          return { version: record.version, others: await visits.others(visited, personId, since) };
        }),
      ),
    },
  };
}
