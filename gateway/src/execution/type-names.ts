import { isAbstractType, isInterfaceType } from 'graphql';
import type { GraphQLSchema } from 'graphql';

/** Whether an object of type `typeName` satisfies the type condition `condition`. */
export type FitsType = (condition: string, typeName: string) => boolean;

export function createFitsType(schema: GraphQLSchema): FitsType {
  const known = new Map<string, ReadonlySet<string>>();

  function namesThatFit(condition: string): ReadonlySet<string> {
    const type = schema.getType(condition);
    if (!type || !isAbstractType(type)) return new Set(type ? [condition] : []);
    const objects = schema.getPossibleTypes(type).map(({ name }) => name);
    const interfaces = isInterfaceType(type) ? schema.getImplementations(type).interfaces.map(({ name }) => name) : [];
    return new Set([condition, ...objects, ...interfaces]);
  }

  return (condition, typeName) => {
    if (condition === typeName) return true;
    let names = known.get(condition);
    if (!names) {
      names = namesThatFit(condition);
      // Bounded: conditions come from valid documents, so there are at most as many as types.
      known.set(condition, names);
    }
    return names.has(typeName);
  };
}
