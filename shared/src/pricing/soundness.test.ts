import fc from 'fast-check';
import { buildSchema, execute, getOperationAST, parse, specifiedRules, validate } from 'graphql';
import { compileFormula } from './formula';

const schema = buildSchema(/* GraphQL */ `
  interface Node {
    id: ID!
  }
  type Item implements Node {
    id: ID!
    parent: Item
    items(first: Int, last: Int): ItemConnection
    any(first: Int, last: Int): AnyConnection
  }
  type Other implements Node {
    id: ID!
    parent: Item
    items(first: Int, last: Int): ItemConnection
    any(first: Int, last: Int): AnyConnection
  }
  union Any = Item | Other
  type ItemEdge {
    node: Item
  }
  type ItemConnection {
    nodes: [Item]
    edges: [ItemEdge]
  }
  type AnyEdge {
    node: Any
  }
  type AnyConnection {
    nodes: [Any]
    edges: [AnyEdge]
  }
  type Query {
    parent: Item
    items(first: Int, last: Int): ItemConnection
    any(first: Int, last: Int): AnyConnection
  }
`);

/** The actual counts of an execution: returned records and fetched pages. */
interface Counted {
  nodes: number;
  pages: number;
}

function pagesOf(counted: Counted, typeNames: readonly string[]) {
  return ({ first, last }: { first?: number | null; last?: number | null }) => {
    const size = first ?? last ?? 0;
    counted.nodes += size;
    counted.pages += 1;
    const nodes = Array.from({ length: size }, (_, index) => record(counted, typeNames[index % typeNames.length]));
    return { nodes, edges: nodes.map((node) => ({ node })) };
  };
}

const record = (counted: Counted, typeName = 'Item'): object => ({
  __typename: typeName,
  id: '1',
  parent: () => record(counted),
  items: pagesOf(counted, ['Item']),
  any: pagesOf(counted, ['Item', 'Other']),
});

type Selection =
  | {
      readonly kind: 'connection';
      readonly field: 'items' | 'any';
      readonly argument: 'first' | 'last';
      readonly size: number;
      readonly inVariable: boolean;
      readonly alias: number;
      readonly condition: '' | 'yes' | 'no';
      readonly through: 'nodes' | 'edges' | 'both';
      readonly below: readonly Selection[];
    }
  | { readonly kind: 'parent'; readonly below: readonly Selection[] }
  | { readonly kind: 'inline' | 'fragment'; readonly below: readonly Selection[] };

const { selections } = fc.letrec<{ selections: readonly Selection[]; selection: Selection }>((tie) => ({
  selections: fc.array(tie('selection'), { maxLength: 3 }),
  selection: fc.oneof(
    { depthSize: 'xsmall', maxDepth: 3 },
    { weight: 1, arbitrary: fc.constant<Selection>({ kind: 'inline', below: [] }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('connection' as const),
        field: fc.constantFrom('items' as const, 'any' as const),
        argument: fc.constantFrom('first' as const, 'last' as const),
        size: fc.integer({ min: 1, max: 3 }),
        inVariable: fc.boolean(),
        alias: fc.integer({ min: 0, max: 1 }),
        condition: fc.constantFrom('' as const, '' as const, 'yes' as const, 'no' as const),
        through: fc.constantFrom('nodes' as const, 'edges' as const, 'both' as const),
        below: tie('selections'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('parent' as const), below: tie('selections') }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('inline' as const, 'fragment' as const), below: tie('selections') }),
    },
  ),
}));

interface Writing {
  readonly inlined: boolean;
  readonly sizes: 'as given' | 'literal' | 'variable';
  readonly reversed: boolean;
  readonly prefix: string;
}
const plainly: Writing = { inlined: false, sizes: 'as given', reversed: false, prefix: 'k' };

/** Writes the selections as one document, in one of many equivalent ways. */
function write(given: readonly Selection[], writing: Writing): string {
  const fragments: string[] = [];
  const all = (below: readonly Selection[], type: string): string => {
    const written = below.map((selection) => one(selection, type));
    return `{ __typename ${(writing.reversed ? written.reverse() : written).join(' ')} }`;
  };
  const one = (selection: Selection, type: string): string => {
    switch (selection.kind) {
      case 'parent':
        return type === 'Any'
          ? `... on Other { parent ${all(selection.below, 'Item')} }`
          : `parent ${all(selection.below, 'Item')}`;
      case 'inline':
        return `... ${type === 'Any' ? 'on Item ' : ''}${all(selection.below, type === 'Any' ? 'Item' : type)}`;
      case 'fragment': {
        const on = type === 'Any' ? 'Other' : type;
        const body = all(selection.below, on);
        if (writing.inlined) return `... on ${on} ${body}`;
        return `...F${fragments.push(`fragment F${fragments.length} on ${on} ${body}`) - 1}`;
      }
      case 'connection':
        return type === 'Any' ? `... on Item { ${connection(selection)} }` : connection(selection);
    }
  };
  const connection = (selection: Extract<Selection, { kind: 'connection' }>): string => {
    const { field, argument, size, inVariable, alias, condition, through, below } = selection;
    const asVariable = writing.sizes === 'as given' ? inVariable : writing.sizes === 'variable';
    const key = `${writing.prefix}${field}${argument}${size}${inVariable ? 'v' : ''}${condition}${alias}`;
    const included = condition === '' ? '' : `@include(if: $${condition})`;
    const inside = all(below, field === 'items' ? 'Item' : 'Any');
    const nodes = through === 'edges' ? '' : `nodes ${inside}`;
    const edges = through === 'nodes' ? '' : `edges { node ${through === 'both' ? '{ __typename }' : inside} }`;
    return `${key}: ${field}(${argument}: ${asVariable ? `$s${size}` : size}) ${included} { ${nodes} ${edges} }`;
  };
  const body = all(given, 'Query');
  const variables = '$s1: Int, $s2: Int = 2, $s3: Int = 9, $yes: Boolean!, $no: Boolean = false';
  return `query (${variables}) ${body} ${fragments.join(' ')}`;
}

const variables = { s1: 1, s2: 2, s3: 3, yes: true, no: false };

function priceOf(text: string) {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  const compiled = compileFormula(schema, document, operation);
  if (compiled.kind === 'refused') return undefined;
  const evaluation = compiled.formula(variables);
  if (evaluation.kind === 'refused') return undefined;
  const breakdown = compiled.formula.breakdown(variables);
  return { ...evaluation.price, breakdown };
}

const otherWays: readonly Writing[] = [
  { ...plainly, inlined: true, sizes: 'literal' },
  { ...plainly, reversed: true, sizes: 'variable' },
  { ...plainly, prefix: 'renamed' },
];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('no answer has more nodes, or needs more pages, than priced, however the call is written', () => {
  let priced = 0;
  fc.assert(
    fc.property(selections, (given) => {
      const text = write(given, plainly);
      const price = priceOf(text);
      if (!price) return;
      priced += 1;
      const { nodes, requests, cost, depth, breakdown } = price;
      expect(sum(breakdown.map((each) => each.nodes))).toBe(nodes);
      expect(sum(breakdown.map((each) => each.requests))).toBe(requests);

      const counted: Counted = { nodes: 0, pages: 0 };
      const executed = execute({
        schema,
        document: parse(text, { noLocation: true }),
        rootValue: record(counted),
        variableValues: variables,
      });
      expect(executed).toHaveProperty('data');
      expect(executed).not.toHaveProperty('errors');
      expect(counted.nodes).toBeLessThanOrEqual(nodes);
      expect(counted.pages).toBeLessThanOrEqual(requests);

      for (const other of otherWays)
        expect(priceOf(write(given, other))).toMatchObject({ nodes, requests, cost, depth });
    }),
    { numRuns: 2_500 },
  );
  expect(priced).toBeGreaterThan(2_000);
});

test('the documents of these tests are valid', () => {
  // Unused variables do not affect the execution.
  const rules = specifiedRules.filter(({ name }) => name !== 'NoUnusedVariablesRule');
  fc.assert(
    fc.property(selections, (given) => {
      expect(validate(schema, parse(write(given, plainly)), rules)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
