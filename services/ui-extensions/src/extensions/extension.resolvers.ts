import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { toConditions, toOrder } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import type { MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { nodeResolvers, numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { requireRecordId } from '@itsm/shared/base/ids/node-id';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { parse } from '@itsm/shared/api/http/parse';
import type { Author } from './audit-line';
import type { Addressing } from './extension.http';
import type { Extension } from './extension';
import type { ExtensionService, ExtensionUpdate, NewExtension } from './extension.service';
import { translationEdits } from '../contents/translation.input';
import { extensionUpdate, newExtension } from './extension.input';

interface Dependencies {
  readonly addressing: Addressing;
  readonly extensions: ExtensionService;
}

type Fields = Readonly<Record<string, unknown>>;
type Input = MutationInput & Fields;

/** The root fields and the type `UiExtension`, without its versions. */
export function createExtensionResolvers({ addressing: { nodeIdDomain }, extensions }: Dependencies) {
  const node = nodeResolvers({ type: 'UiExtension', nodeIdDomain, restNames });
  const load = (text: string, { accountId }: Caller): Promise<Extension | null> =>
    node.load(text, (id) => extensions.find(accountId, id));
  return {
    Query: {
      uiExtensions: allowed<ConnectionArgs & ListArguments>('ui-extension:Read', (_parent, args, { caller }) =>
        loadSortedConnection(args, {
          source: extensions.list(caller.accountId),
          order: toOrder(args),
          filter: toConditions(args),
          // No field of a version is needed here: texts are resolved with the versions.
          fields: [],
        }),
      ),
      uiExtension: allowed<{ readonly id: string }>('ui-extension:Read', (_parent, { id }, { caller }) =>
        load(id, caller),
      ),
    },
    Mutation: {
      uiExtensionCreate: node.mutation<Input>('ui-extension:Create', async (fields, caller) => ({
        uiExtension: await extensions.create(caller.accountId, toNewExtension(fields), authorOf(caller)),
      })),
      uiExtensionUpdate: node.mutation<Input>('ui-extension:Update', async (fields, caller) => {
        const { id, update } = toExtensionUpdate(nodeIdDomain, fields);
        return { uiExtension: await extensions.update(caller.accountId, id, update, { author: authorOf(caller) }) };
      }),
    },
    UiExtension: {
      ...numberedIds(nodeIdDomain, 'UiExtension'),
      __resolveReference: allowedReference('ui-extension:Read', ({ id }, { caller }) => load(id, caller)),
    },
  };
}

const authorOf = ({ personId: id, name }: Caller): Author => ({ id, name });

/** GraphQL name → REST name, where they differ in more than the prefix of the record. */
const restNames: Readonly<Record<string, string>> = {
  formDefinition: 'form_definition',
  darkModeSafe: 'dark_mode_safe',
};

const toRest = (input: Fields): Fields =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [restNames[name] ?? name, value]));

const toNewExtension = (input: Fields): NewExtension => parse(newExtension, toRest(input));

/** Parses the input of an update. Throws a 404 for a malformed id. */
function toExtensionUpdate(nodeIdDomain: string, input: Fields): { id: number; update: ExtensionUpdate } {
  const { id: nodeId, translations, ...rest } = input;
  const id = requireRecordId(nodeIdDomain, 'UiExtension', String(nodeId));
  const update = parse(extensionUpdate, toRest(rest));
  const refused = translationEdits.safeParse(translations ?? []);
  if (!refused.success)
    throw validationFailed(refused.error.issues.map(({ message }) => ['translations', message] as const));
  return { id, update: { ...update, translations: refused.data } };
}
