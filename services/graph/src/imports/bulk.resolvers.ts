import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { memberName } from '@itsm/shared/declared/names';
import { editors } from '../record-types/fields';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import type { Verb } from '../write/mutations';
import type { Input } from '../write/record.input';
import { mostItems } from './import.service';
import type { ImportService } from './import.service';

type BulkArgs = MutationArgs<{ readonly items: readonly Input[] } & MutationInput>;

/** Those who may write one record and see imports, where the progress is shown; undefined for no mutation. */
const writersOf = ({ mutations }: RecordType, verb: Verb) =>
  mutations[verb === 'Create' ? 'create' : 'update']?.filter((role) => editors.includes(role));

const verbsOf = (type: RecordType): readonly Verb[] =>
  (['Create', 'Update'] as const).filter((verb) => writersOf(type, verb));

const bulkTypeDefs = (type: RecordType, verb: Verb): string => {
  const { graphqlName: name } = type;
  return /* GraphQL */ `
    input ${name}Bulk${verb}Input {
      "1 to ${mostItems}, in the order in which they are written."
      items: [${name}${verb}Input!]!
      clientMutationId: String
    }

    extend type Mutation {
      "Writes the items one by one after the answer, each as \`${memberName(type)}${verb}\` would."
      ${memberName(type)}Bulk${verb}(input: ${name}Bulk${verb}Input!): RecordBulkPayload
    }
  `;
};

/** The mutations that write many records of a type. */
export const bulkSdl = (types: readonly RecordType[]): string =>
  [
    /* GraphQL */ `
      type RecordBulkPayload {
        "Progress and failures are those of an import: \`GET /v1/import/:token\`. Null when the input was refused."
        token: ID
        errors: [ValidationError!]!
        clientMutationId: String
      }
    `,
    ...types.flatMap((type) => verbsOf(type).map((verb) => bulkTypeDefs(type, verb))),
  ].join('\n');

export const createBulkResolvers = (types: readonly RecordType[], imports: ImportService): ResolverMap => ({
  Mutation: Object.fromEntries(
    types.flatMap((type) =>
      verbsOf(type).map((verb) => [
        `${memberName(type)}Bulk${verb}`,
        allowed<BulkArgs>(
          `${modelName(type)}:${verb}`,
          (_parent, { input }, { caller }) =>
            toPayload(input, async ({ items }) => {
              const { id: token } = await imports.queue(caller, type.name, verb, items);
              return { token };
            }),
          ...(writersOf(type, verb) ?? []),
        ),
      ]),
    ),
  ),
});
