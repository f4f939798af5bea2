import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import type { Resolver } from '@itsm/shared/api/graphql/resolver';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { ChildDocument, Relation } from '../store/children.repository';
import type { ReaderOf } from '../read/record-reader';
import type { InverseRelation } from '../read/record-relations';
import { toRecord } from '../store/record.document';
import type { RecordDocument } from '../store/record.document';
import { everything, toWhere } from '../store/record-selection';
import { modelName } from '../record-types/record-type';
import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';

interface Parent {
  readonly id: number;
}

/** The inverse connections: from records and people back to the records that refer to them. */
export function createRelationResolvers(
  relations: readonly InverseRelation[],
  readerOf: ReaderOf,
  nodeIdDomain: string,
): ResolverMap {
  const fields: Record<string, Record<string, unknown>> = { Person: personResolvers(nodeIdDomain) };
  for (const relation of relations) {
    const { graphqlName } = relation.parent;
    fields[graphqlName] = { ...fields[graphqlName], [relation.field]: childrenResolver(relation, readerOf) };
  }
  return fields;
}

/** auth owns people; this service knows them by number only. */
const personResolvers = (nodeIdDomain: string) => ({
  id: ({ id }: Parent) => toNodeId(nodeIdDomain, 'Person', id),
  __resolveReference(reference: { readonly id: string }) {
    const id = parseRecordId(nodeIdDomain, 'Person', reference.id);
    return Promise.resolve(id === undefined ? undefined : { id });
  },
});

function childrenResolver(relation: InverseRelation, readerOf: ReaderOf): Resolver<Parent, ConnectionArgs> {
  const { parent, child, foreign } = relation;
  return allowed<ConnectionArgs, Parent>(`${modelName(child)}:Read`, async ({ id }, args, context) => {
    const reader = readerOf(context);
    const selection = { ...everything, reach: await reader.reach(child, false) };
    const where = toWhere(child, context.caller.accountId, selection);
    const wanted: Relation = { parents: parent.plural, children: child.plural, foreign, where, without: 'files' };
    return reader.children(wanted, id, args, (document: ChildDocument) => toRecord(document as RecordDocument));
  });
}
