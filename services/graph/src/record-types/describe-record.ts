import { nounOf } from '@itsm/shared/contracts/record-kinds';
import { describeFields, describeView } from '@itsm/shared/declared/describe';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { views, viewsOf } from './record-type';
import type { RecordType } from './record-type';

/** The description of a type of record. */
export const describeRecord = (type: RecordType): TypeDescription => ({
  ...describeFields({ ...type, label: nounOf(type.graphqlName) }),
  writes: type.mutations,
  hasNotes: type.hasNotes ?? false,
  views: viewsOf(type).map((name) => describeView({ name, description: views[name].description })),
  transitions: Object.entries(type.transitions ?? {}).map(([from, to]) => ({ from, to })),
  closed: type.closed,
  columns: type.columns,
  othersFill: type.othersFill,
  endUsersSee: type.endUsersSee === 'all' ? undefined : type.endUsersSee === 'none' ? [] : type.endUsersSee,
});
