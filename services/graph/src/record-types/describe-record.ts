import { nounOf } from '@itsm/shared/contracts/record-kinds';
import { describeFields, describeView } from '@itsm/shared/declared/describe';
import type { StepDescription, TypeDescription, ViewDescription } from '@itsm/shared/declared/description';
import { statusesFor, views, viewsOf } from './record-type';
import type { OwnerStep, RecordType, View } from './record-type';
import { textsOf } from './texts';

/** The description of a type of record. */
export const describeRecord = (type: RecordType): TypeDescription => ({
  ...withFiles(type, describeFields({ ...type, label: nounOf(type.graphqlName) })),
  writes: type.mutations,
  hasNotes: type.hasNotes ?? false,
  takesWork: type.takesWork,
  views: viewsOf(type).map(viewInWords),
  transitions: Object.entries(type.transitions ?? {}).map(([from, to]) => ({ from, to })),
  closed: type.closed,
  takenUpAs: type.takenUpAs,
  steps: type.steps?.map((step) => describeStep(type, step)),
  columns: type.columns,
  othersFill: type.othersFill,
  endUsersSee: type.endUsersSee === 'all' ? undefined : type.endUsersSee === 'none' ? [] : type.endUsersSee,
});

function withFiles(type: RecordType, description: TypeDescription): TypeDescription {
  const texts = textsOf(type).map(({ name }) => name);
  const fields = description.fields.map((field) => ({
    ...field,
    ...(texts.includes(field.name) && { takesFiles: true as const }),
  }));
  return { ...description, fields };
}

const viewInWords = (name: View): ViewDescription => describeView({ name, ...views[name] });

const describeStep = (type: RecordType, step: OwnerStep): StepDescription => ({
  name: step.name,
  label: step.label,
  description: step.description,
  done: step.done,
  from: statusesFor(type, step),
  within: step.within,
  unless: step.unless ?? [],
  asksNote: step.asksNote ?? false,
  flags: (step.flags ?? []).map(({ name, label }) => ({ name, label })),
});
