import { print } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';

type AnyDocument = Pick<TadaDocumentNode<unknown, unknown>, 'definitions'>;
interface Operation {
  readonly kind: string;
  readonly selectionSet?: { readonly selections: readonly { readonly name?: { readonly value: string } }[] };
}

/**
 * Whether a query asks for what a write changes: for a field of the same kind of thing at any depth. The kind is the
 * first word of the mutation, so `webhookPolicyUpdate` makes everything about webhooks old, and nothing about requests.
 */
export function isTouched(query: AnyDocument, write: AnyDocument): boolean {
  const text = print(query as Parameters<typeof print>[0]);
  return kindsOf(write).some((kind) => new RegExp(`\\b${kind}`).test(text));
}

const kindsOf = ({ definitions }: AnyDocument): readonly string[] =>
  (definitions as readonly Operation[])
    .filter(({ kind }) => kind === 'OperationDefinition')
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .flatMap(({ name }) => /^[a-z]+/.exec(name?.value ?? '') ?? []);
