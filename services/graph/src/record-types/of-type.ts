import type { RecordType } from './record-type';

/** Looks up what was made for a type; throws for a type that nothing was made for. */
export const ofType =
  <T>(things: ReadonlyMap<RecordType['name'], T>) =>
  (typeName: RecordType['name']): T => {
    const thing = things.get(typeName);
    if (thing === undefined) throw new Error(`There is no record type ${typeName}`);
    return thing;
  };
