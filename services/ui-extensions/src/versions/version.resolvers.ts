import { loadConnection } from '@itsm/shared/api/graphql/connections';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import { allowedReference } from '@itsm/shared/api/graphql/resolver';
import { checkSeesAccount } from '@itsm/shared/api/identity/sees-account';
import { canonical } from '@itsm/shared/api/identity/languages';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { toConnectionSource } from '@itsm/shared/api/graphql/sorted-connection';
import { seenBy } from '../extensions/extension.http';
import type { Addressing } from '../extensions/extension.http';
import type { Extension } from '../extensions/extension';
import type { ExtensionService } from '../extensions/extension.service';
import { localizedHtml } from '../contents/localized-html';
import { textsOf } from '../contents/translation';
import type { Translation } from '../contents/translation';
import { auditPathOf, versionResource, formatTime } from './version.resource';
import type { Version } from '../extensions/version';
import type { VersionService } from './version.service';

interface Dependencies {
  readonly addressing: Addressing;
  readonly extensions: ExtensionService;
  readonly versions: VersionService;
}

const allFields = Object.keys(versionResource.fields);

/** The type `UiExtensionVersion` and the versions of a `UiExtension`. */
export function createVersionResolvers({ addressing, extensions, versions }: Dependencies) {
  return {
    UiExtension: {
      // Read again: the parent may have been listed without its texts.
      activeVersion: async ({ id }: Extension, _args: unknown, { caller }: SubgraphContext) =>
        (await extensions.find(caller.accountId, id)).active,
      async preparedVersion({ id }: Extension, _args: unknown, { caller }: SubgraphContext) {
        checkSeesAccount(caller);
        return (await extensions.find(caller.accountId, id)).prepared;
      },
      async versions({ id }: Extension, args: ConnectionArgs, { caller }: SubgraphContext) {
        const extension = await extensions.find(caller.accountId, id);
        return loadConnection(
          args,
          toConnectionSource(versions.list(caller.accountId, extension, seenBy(caller)), allFields),
        );
      },
    },
    UiExtensionVersion: {
      ...numberedIds(addressing.nodeIdDomain, 'UiExtensionVersion'),
      css: ({ content }: Version) => content.css,
      html: ({ content }: Version) => content.html,
      javascript: ({ content }: Version) => content.javascript,
      formDefinition: ({ content }: Version) => content.formDefinition,
      formDefinitionReact: ({ content }: Version, _args: unknown, { caller }: SubgraphContext) =>
        versions.loadText(caller.accountId, content.formDefinitionReact),
      darkModeSafe: ({ content }: Version) => content.darkModeSafe,
      useDesigner: ({ content }: Version) => content.useDesigner,
      phrases: ({ content }: Version) => content.phrases,
      compiledCss: ({ content }: Version, _args: unknown, { caller }: SubgraphContext) =>
        versions.loadText(caller.accountId, content.compiledCss),
      localizedHtml: ({ content }: Version, { locale }: { locale?: string | null }, { languages }: SubgraphContext) =>
        localizedHtml(content, [...canonical(locale ?? ''), ...languages]),
      formattedActivatedAt: ({ activatedAt }: Version, _args: unknown, { caller, languages }: SubgraphContext) =>
        formatTime(activatedAt, languages, caller.timeZone),
      formattedArchivedAt: ({ archivedAt }: Version, _args: unknown, { caller, languages }: SubgraphContext) =>
        formatTime(archivedAt, languages, caller.timeZone),
      translations: ({ content }: Version) => content.translations.map(presentTranslation),
      viewAuditPath: auditPathOf,
      uiExtension: ({ extensionId }: Version, _args: unknown, { caller }: SubgraphContext) =>
        extensions.find(caller.accountId, extensionId),
      __resolveReference: allowedReference('ui-extension:Read', async ({ id }, { caller }) => {
        const number = parseRecordId(addressing.nodeIdDomain, 'UiExtensionVersion', id);
        return number === undefined
          ? null
          : ((await versions.findAnywhere(caller.accountId, number, seenBy(caller))) ?? null);
      }),
    },
  };
}

const presentTranslation = (translation: Translation) => ({
  locale: translation.locale,
  texts: [...textsOf(translation)].map(([phrase, text]) => ({ phrase, text })),
});
