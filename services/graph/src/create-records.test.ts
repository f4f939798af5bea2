import { allowedAction } from '@itsm/shared/api/identity/allow';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createConnection } from 'mongoose';
import { createDirectoryRepository } from './directory/directory.repository';
import { recordTypes } from './record-types/all';
import { memberName, rootField } from './record-types/record-type';
import { createTrailKeeper } from './store/trail-keeper';
import { createTrailRepository } from './store/trail.repository';
import { createRecords } from './create-records';

const connection = createConnection();
const trails = createTrailRepository(connection);
const { resolvers } = createRecords({
  types: recordTypes,
  connection,
  directory: createDirectoryRepository(connection),
  trails,
  trailKeeper: createTrailKeeper(trails),
  relay: { nudge: () => undefined },
  baseUrl: 'https://api.test.example',
  nodeIdDomain: 'test.example',
  now: systemClock,
});

const actionsOf = (root: string): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(resolvers[root] as Record<string, object>).map(([name, resolver]) => [
      name,
      allowedAction(resolver),
    ]),
  );

test('every root field is declared with the action it needs', () => {
  expect(actionsOf('Query')).toEqual(
    Object.fromEntries(
      recordTypes.flatMap((type) =>
        [memberName(type), rootField(type)].map((field) => [field, `${type.name.replaceAll('_', '-')}:Read`]),
      ),
    ),
  );
  expect(actionsOf('Mutation')).toEqual(
    Object.fromEntries([
      ...recordTypes.flatMap((type) =>
        ['Create', 'Update'].map((verb) => [`${memberName(type)}${verb}`, `${type.name.replaceAll('_', '-')}:${verb}`]),
      ),
      ['noteCreate', 'note:Create'],
    ]),
  );
});
