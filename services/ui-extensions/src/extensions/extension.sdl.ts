import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import { declaredTypeDefs } from '@itsm/shared/declared/declared.sdl';
import { extensionType } from './extension-type';

/** SDL of extensions; the `versions` module extends the type. */
export const extensionTypeDefs = /* GraphQL */ `
  ${declaredTypeDefs(extensionType)}
  ${mutationTypeDefs}

  extend input UiExtensionUpdateInput {
    "Each locale that is named gets these translations in place of those it has."
    translations: [UiExtensionTranslationsInput!]
  }

  input UiExtensionTranslationsInput {
    "BCP 47, for example nl or pt-BR."
    locale: String!
    "Absent or null: the locale has no translations from now on."
    texts: [UiExtensionTextInput!]
  }

  input UiExtensionTextInput {
    phrase: String!
    text: String!
  }
`;
