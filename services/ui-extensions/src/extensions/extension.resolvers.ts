import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { declaredMutations, declaredReads } from '@itsm/shared/declared/declared.resolvers';
import type { Edits } from '@itsm/shared/declared/edits';
import { readInput, restNamesOf } from '@itsm/shared/declared/read-input';
import { translationEdits } from '../contents/translation.input';
import { authorOf } from './extension.http';
import type { Extension } from './extension';
import type { ExtensionService } from './extension.service';
import { extensionType } from './extension-type';

interface Dependencies {
  readonly extensions: ExtensionService;
  readonly edits: Edits<typeof extensionType, Extension>;
  readonly nodeIdDomain: string;
}

type UpdateInput = IdInput & { readonly translations?: unknown };

/** The root fields and the type `UiExtension`, without its versions. */
export function createExtensionResolvers({ extensions, edits, nodeIdDomain }: Dependencies) {
  const node = nodeResolvers({ type: 'UiExtension', nodeIdDomain, restNames: restNamesOf(extensionType) });
  const { query, object } = declaredReads(extensionType, edits, nodeIdDomain);
  return {
    Query: query,
    Mutation: {
      ...declaredMutations(extensionType, edits, nodeIdDomain),
      // Unlike REST's, it changes translations with the texts.
      uiExtensionUpdate: node.mutation<UpdateInput>(
        'ui-extension:Update',
        async ({ id: text, translations, ...rest }, caller) => {
          const id = node.idOf(text);
          const given = readInput(extensionType, nodeIdDomain, 'update', rest);
          const read = translationEdits.safeParse(translations ?? []);
          if (!read.success)
            throw validationFailed(read.error.issues.map(({ message }) => ['translations', message] as const));
          const update = { given, translations: read.data };
          const by = { author: authorOf(caller) };
          return { uiExtension: await extensions.update(caller.accountId, id, update, by) };
        },
      ),
    },
    UiExtension: object,
  };
}
