import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import { parse } from '@itsm/shared/api/http/parse';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { translationEdits } from '../contents/translation.input';
import { extensionUpdate, newExtension } from './extension.input';
import type { ExtensionUpdate, NewExtension } from './extension.service';

/** Where the names in GraphQL and in REST differ in more than the record they belong to. */
export const restNames: Readonly<Record<string, string>> = {
  formDefinition: 'form_definition',
  darkModeSafe: 'dark_mode_safe',
};

type Input = Readonly<Record<string, unknown>>;

const toRest = (input: Input): Input =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [restNames[name] ?? name, value]));

export const toNewExtension = (input: Input): NewExtension => parse(newExtension, toRest(input));

/** Throws a 404 for what cannot be the id of an extension. */
export function toExtensionUpdate(nodeIdDomain: string, input: Input): { id: number; update: ExtensionUpdate } {
  const { id: nodeId, translations, ...rest } = input;
  const id = parseRecordId(nodeIdDomain, 'UiExtension', String(nodeId));
  if (id === undefined) throw notFound();
  const update = parse(extensionUpdate, toRest(rest));
  const refused = translationEdits.safeParse(translations ?? []);
  if (!refused.success)
    throw validationFailed(refused.error.issues.map(({ message }) => ['translations', message] as const));
  return { id, update: { ...update, translations: refused.data } };
}
