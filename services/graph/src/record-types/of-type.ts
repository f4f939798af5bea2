import type { RecordType } from './record-type';

/** A lookup by record type; throws for an unknown type. */
export const ofType =
  <T>(things: ReadonlyMap<RecordType['name'], T>) =>
  (typeName: RecordType['name']): T => {
    const thing = things.get(typeName);
    if (thing === undefined) throw new Error(`There is no record type ${typeName}`);
    return thing;
  };
