import fc from 'fast-check';
import { buildSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper';
import { composeServices } from '@apollo/composition';
import { isAbstractType, isCompositeType, getNamedType, isInterfaceType, isObjectType, parse } from 'graphql';
import type { GraphQLNamedType, GraphQLSchema } from 'graphql';

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])';

const sdls = {
  people: `${link}
    enum Mood { HAPPY SAD }
    interface Named { name: String! }
    type Person implements Named @key(fields: "id") {
      id: ID! name: String! boss: Person age: Int tags: [String!]! mood: Mood moods: [[Mood]] faulty: String!
    }
    type Query { people: [Person!]! person: Person anyone: Named nobody: Person }`,
  records: `${link}
    interface Record { id: ID! owner: Owner parent: Record }
    union Owner = Person | Team
    type Person @key(fields: "id", resolvable: false) { id: ID! }
    type Team @key(fields: "id") { id: ID! label: String members: [Person] }
    type Request implements Record @key(fields: "id") { id: ID! title: String owner: Owner parent: Record priority: Int! watchers: [Person] team: Team }
    type Problem implements Record @key(fields: "id") { id: ID! title: String! owner: Owner parent: Record cause: Person }
    type Query { records: [Record!]! record: Record owners: [[Owner]] requests: [Request] }`,
  extras: `${link}
    type Badge { code: String! color: String holder: Person }
    type Person @key(fields: "id") { id: ID! badge: Badge score: Float toString: String }
    type Request @key(fields: "id") { id: ID! note(loud: Boolean): String badge: Badge }
    type Team @key(fields: "id") { id: ID! motto: String! }`,
} as const;

const person = (n: number) => ({ __typename: 'Person', id: `p${n}` });
const request = (n: number) => ({ __typename: 'Request', id: `r${n}` });
const problem = (n: number) => ({ __typename: 'Problem', id: `q${n}` });
const team = (n: number) => ({ __typename: 'Team', id: `t${n}` });
const numberOf = ({ id }: { id: string }) => Number(id.slice(1));
const typed = { __resolveType: ({ __typename }: { __typename: string }) => __typename };
const reference = { __resolveReference: (given: { id: string }) => (numberOf(given) === 4 ? null : given) };
const fault = () => {
  throw new Error('no such luck');
};
const parent = (given: { id: string }) => (numberOf(given) > 2 ? null : problem(numberOf(given) + 1));
const owner = (given: { id: string }) => (numberOf(given) % 2 ? person(numberOf(given)) : team(numberOf(given)));

const resolvers = {
  people: {
    Named: typed,
    Person: {
      ...reference,
      name: ({ id }: { id: string }) => `Name "${id}" é\u2028`,
      boss: (given: { id: string }) => (numberOf(given) > 2 ? null : person(numberOf(given) + 1)),
      age: numberOf,
      tags: () => ['a', 'b'],
      mood: (given: { id: string }) => (numberOf(given) % 2 ? 'SAD' : null),
      moods: () => [['HAPPY'], null, []],
      faulty: fault,
    },
    Query: {
      people: () => [1, 2, 3, 1].map(person),
      person: () => person(2),
      anyone: () => person(1),
      nobody: () => null,
    },
  },
  records: {
    Record: typed,
    Owner: typed,
    Team: { label: ({ id }: { id: string }) => id, members: () => [person(1), null, person(3)] },
    Request: {
      ...reference,
      title: () => null,
      owner,
      parent,
      priority: numberOf,
      watchers: () => [person(1), null, person(4), person(1)],
      team: (given: { id: string }) => team(numberOf(given)),
    },
    Problem: { title: () => 'Title', owner, parent, cause: () => person(3) },
    Query: {
      records: () => [request(1), problem(2), request(3)],
      record: () => problem(1),
      owners: () => [[person(1), team(2)], null, [null]],
      requests: () => [request(1), request(4), null, request(1)],
    },
  },
  extras: {
    Badge: { code: () => 'code', color: () => null, holder: () => person(2) },
    Person: { ...reference, badge: () => ({}), score: numberOf, toString: () => 'text' },
    Request: { note: (_given: unknown, { loud }: { loud?: boolean }) => (loud ? 'NOTE' : 'note'), badge: () => ({}) },
    Team: { motto: (given: { id: string }) => (numberOf(given) > 2 ? null : 'Onward') },
  },
};

/** Three services whose types refer to each other, with errors and nulls, as executable schemas. */
export const generatedServices: ReadonlyMap<string, GraphQLSchema> = new Map(
  Object.entries(sdls).map(([name, sdl]) => [
    name,
    buildSubgraphSchema({
      typeDefs: parse(sdl),
      resolvers: resolvers[name as keyof typeof resolvers] as unknown as GraphQLResolverMap<unknown>,
    }),
  ]),
);

export function generatedSupergraph(): string {
  const services = Object.entries(sdls).map(([name, sdl]) => ({ name, url: `http://${name}`, typeDefs: parse(sdl) }));
  const { supergraphSdl, errors } = composeServices(services);
  if (supergraphSdl === undefined) throw new Error(String(errors));
  return supergraphSdl;
}

/**
 * Aliases that are names of prototype members; each goes with one field, so that few queries have conflicting fields.
 */
const odd = new Map([
  ['id', '__proto__'],
  ['owner', 'constructor'],
  ['boss', 'valueOf'],
]);

/** Generates a query over the whole schema from numbers between 0 and 1; it may still be invalid. */
export function generateQuery(schema: GraphQLSchema, random: () => number): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const condition = (): string =>
    random() < 0.1 ? ` @${pick(['skip', 'include'])}(if: ${pick(['$yes', '$no', 'true', 'false'])})` : '';

  function field(type: GraphQLNamedType, depth: number): string {
    if (!isObjectType(type) && !isInterfaceType(type)) return `__typename${condition()}`;
    if (random() < 0.15) return `${random() < 0.3 ? 'kind: ' : ''}__typename${condition()}`;
    const { name, type: result } = pick(Object.values(type.getFields()));
    const alias = random() < 0.3 ? `${pick([`x_${name}`, `y_${name}`, odd.get(name) ?? name])}: ` : '';
    const loud = name === 'note' ? pick(['', '(loud: $yes)', '(loud: true)']) : '';
    const inner = getNamedType(result);
    if (!isCompositeType(inner)) return `${alias}${name}${loud}${condition()}`;
    return depth > 4 ? '__typename' : `${alias}${name}${condition()} ${selections(inner, depth + 1)}`;
  }

  function fragment(type: GraphQLNamedType, depth: number): string {
    const types: readonly GraphQLNamedType[] = isAbstractType(type) ? [...schema.getPossibleTypes(type), type] : [type];
    const on = pick(types);
    return `... on ${on.name}${condition()} ${selections(on, depth + 1)}`;
  }

  function selections(type: GraphQLNamedType, depth: number): string {
    const count = 1 + Math.floor(random() * 4);
    const one = () =>
      depth < 6 && random() < (isAbstractType(type) ? 0.6 : 0.15) ? fragment(type, depth) : field(type, depth);
    return `{ ${Array.from({ length: count }, one).join(' ')} }`;
  }

  const root = schema.getQueryType();
  if (!root) throw new Error('no queries');
  return `query Q($yes: Boolean! = true, $no: Boolean = false) ${selections(root, 0)}`;
}

/** Arbitrary numbers for `generateQuery` that shrink well: fewer and smaller ones make a simpler query. */
export const decisions: fc.Arbitrary<readonly number[]> = fc.array(fc.integer({ min: 0, max: 99 }), {
  minLength: 1,
  maxLength: 400,
  size: 'max',
});

/** The query for the numbers `taken`; further ones count as 0. */
export function queryOf(schema: GraphQLSchema, taken: readonly number[]): string {
  let next = 0;
  return generateQuery(schema, () => (taken[next++] ?? 0) / 100);
}
