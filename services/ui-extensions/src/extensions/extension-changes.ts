import { emptyContent } from '../contents/content';
import type { Content } from '../contents/content';
import { versionsWithin } from './extension';
import { changedFields } from '@itsm/shared/declared/changes';
import type { FieldChange as DeclaredChange } from '@itsm/shared/declared/changes';
import type { Extension } from './extension';
import { extensionType } from './extension-type';
import type { Version } from './version';
import type { AuditLine, Change, FieldChange, Value } from './audit-line';

const texts: readonly (readonly [field: string, property: keyof Content])[] = [
  ['css', 'css'],
  ['html', 'html'],
  ['javascript', 'javascript'],
  ['form_definition', 'formDefinition'],
];

/** The changes from `before` to `after`: of the extension, then of its versions by ascending number. */
export function changesBetween(before: Extension | undefined, after: Extension): Change[] {
  const changes = changedFields(extensionType, before, after).map(toFieldChange);
  const itself: Change = { version: null, action: before ? 'updated' : 'created', changes };
  const former = before ? versionsWithin(before) : [];
  const versions = versionsWithin(after).map((version) =>
    versionChange(
      former.find(({ id }) => id === version.id),
      version,
    ),
  );
  return [itself, ...versions].filter(({ action, changes: { length } }) => action === 'created' || length > 0);
}

function versionChange(former: Version | undefined, version: Version): Change {
  const from = former?.content ?? emptyContent;
  const to = version.content;
  const changes = [
    ...texts.flatMap(([field, property]) => (from[property] === to[property] ? [] : [{ field }])),
    ...valueChange('dark_mode_safe', from.darkModeSafe, to.darkModeSafe),
    ...translationChanges(from, to),
    ...valueChange('status', former?.status ?? 'being_prepared', version.status),
  ];
  const { id, versionNr } = version;
  return { version: { id, versionNr }, action: actionOf(former, version), changes };
}

const toFieldChange = ({ field, from, to }: DeclaredChange): FieldChange => ({
  field,
  from: from as Value,
  to: to as Value,
});

const valueChange = (field: string, from: Value, to: Value): FieldChange[] =>
  from === to ? [] : [{ field, from, to }];

function translationChanges(from: Content, to: Content): FieldChange[] {
  const textsIn = ({ translations }: Content, locale: string): string | undefined =>
    translations.find((translation) => translation.locale === locale)?.texts;
  const locales = new Set([...from.translations, ...to.translations].map(({ locale }) => locale));
  return [...locales]
    .filter((locale) => textsIn(from, locale) !== textsIn(to, locale))
    .map((locale) => ({ field: `translations.${locale}` }));
}

function actionOf(former: Version | undefined, version: Version): AuditLine['action'] {
  if (!former) return 'created';
  if (former.status === version.status) return 'updated';
  return version.status === 'active' ? 'activated' : 'archived';
}
