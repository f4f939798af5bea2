import { choicesOf, valuesOf } from '../record-types/choices';
import type { ItsmRecord } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { everything } from '../store/record-selection';
import type { Selection } from '../store/record-selection';

/** All records, each value of each choice, and all values but one. */
export const selectionsOf = (type: RecordType): Selection[] => [
  everything,
  ...choicesOf(type).flatMap((choice) => [
    ...valuesOf(choice).map((value) => ({ ...everything, conditions: [{ property: choice.name, in: [value] }] })),
    { ...everything, conditions: [{ property: choice.name, notIn: valuesOf(choice).slice(-1) }] },
  ]),
];

/** Whether a record is selected. */
export const fits = ({ conditions }: Selection, { values }: ItsmRecord): boolean =>
  conditions.every((condition) => {
    const value = values[condition.property] as never;
    return 'in' in condition ? condition.in.includes(value) : 'notIn' in condition && !condition.notIn.includes(value);
  });
