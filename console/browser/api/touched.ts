import { print } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';

type AnyDocument = Pick<TadaDocumentNode<unknown, unknown>, 'definitions'>;
interface Operation {
  readonly kind: string;
  readonly selectionSet?: { readonly selections: readonly { readonly name?: { readonly value: string } }[] };
}

/** Whether a query asks for a field of that kind of thing at any depth: `webhook` is also about `webhookDeliveries`. */
export const isAbout = (query: AnyDocument, kind: string): boolean =>
  new RegExp(`\\b${kind}`).test(print(query as Parameters<typeof print>[0]));

/**
 * Whether a query asks for what a write changes. The kind is the first word of the mutation, so `webhookPolicyUpdate`
 * makes everything about webhooks old, and nothing about requests.
 */
export const isTouched = (query: AnyDocument, write: AnyDocument): boolean =>
  kindsOf(write).some((kind) => isAbout(query, kind));

const kindsOf = ({ definitions }: AnyDocument): readonly string[] =>
  (definitions as readonly Operation[])
    .filter(({ kind }) => kind === 'OperationDefinition')
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .flatMap(({ name }) => /^[a-z]+/.exec(name?.value ?? '') ?? []);
