import { allowedAction } from '@itsm/shared/api/identity/allow';
import { systemClock } from '@itsm/shared/base/time/clock';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import { createConnection } from 'mongoose';
import { createDirectory } from './directory/module';
import { createForms } from './forms/module';
import type { RecordType } from './record-types/record-type';
import { recordTypes } from './record-types/all';
import { memberName, rootField } from '@itsm/shared/declared/names';
import { createRecords } from './create-records';

const platform = {
  connection: createConnection(),
  logger: silentLogger,
  now: systemClock,
  baseUrl: 'https://api.test.example',
  nodeIdDomain: 'test.example',
};
const presence = createPresence(platform);
const [directory, forms] = [createDirectory(platform), createForms(platform)];
const records = createRecords(platform, { directory, forms, presence, nudge: () => undefined });
const resolvers = records.api.resolvers ?? {};

const actionsOf = (root: string): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(resolvers[root] as Record<string, object>).map(([name, resolver]) => [
      name,
      allowedAction(resolver),
    ]),
  );

const stepsOf = ({ steps = [] }: RecordType): readonly string[] =>
  steps.map(({ name }) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);

test('every root field is declared with the action it needs', () => {
  expect(actionsOf('Query')).toEqual(
    Object.fromEntries([
      ...recordTypes.flatMap((type) =>
        [memberName(type), rootField(type)].map((field) => [field, `${type.name.replaceAll('_', '-')}:Read`]),
      ),
      ['notices', 'notice:Read'],
      ['noticePreferences', 'notice:Read'],
    ]),
  );
  expect(actionsOf('Mutation')).toEqual(
    Object.fromEntries([
      ...recordTypes.flatMap((type) =>
        [
          ['Create', 'Create'],
          ...['Update', 'Archive', 'Trash', 'Restore', ...stepsOf(type)].map((mutation) => [mutation, 'Update']),
        ].map(([mutation, verb]) => [`${memberName(type)}${mutation}`, `${type.name.replaceAll('_', '-')}:${verb}`]),
      ),
      ['noteCreate', 'note:Create'],
      ['noticesRead', 'notice:Update'],
      ['visitUpdate', 'notice:Update'],
      ['watchUpdate', 'notice:Update'],
      ['noticePreferencesUpdate', 'notice:Update'],
    ]),
  );
});
