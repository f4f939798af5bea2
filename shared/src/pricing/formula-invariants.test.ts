import fc from 'fast-check';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { compileFormula } from './formula';

const schema = buildSchema(/* GraphQL */ `
  type Query {
    items(first: Int): ItemConnection
  }
  type Item {
    items(first: Int): ItemConnection
  }
  type ItemConnection {
    nodes: [Item]
    totalCount: Int
  }
`);

interface Tree {
  readonly size: number;
  readonly below: readonly Tree[];
}

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    size: fc.integer({ min: 1, max: 100 }),
    below: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.constant([]), fc.array(tie('tree'), { maxLength: 3 })),
  }),
}));

const price = (query: string, variables: Record<string, unknown> = {}) => {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  const compiled = compileFormula(schema, document, operation);
  return compiled.kind === 'compiled' ? compiled.formula(variables) : compiled;
};

const written = (trees: readonly Tree[], size: (tree: Tree) => string, wrap: (text: string) => string): string =>
  trees
    .map((tree, i) => {
      const below = wrap(written(tree.below, size, wrap));
      return `a${i}: items(first: ${size(tree)}) { totalCount nodes { __typename ${below} } }`;
    })
    .join(' ');

const plain = (trees: readonly Tree[]): string => written(trees, ({ size }) => String(size), String);

const sum = (trees: readonly Tree[], of: (tree: Tree) => number): number =>
  trees.reduce((total, tree) => total + of(tree), 0);
const nodesOf = ({ size, below }: Tree): number => size + size * sum(below, nodesOf);
const requestsOf = ({ size, below }: Tree): number => 1 + size * sum(below, requestsOf);

const trees = fc.array(tree, { minLength: 1, maxLength: 3 });

test('nodes, requests and cost agree with the definition', () => {
  fc.assert(
    fc.property(trees, (given) => {
      const nodes = sum(given, nodesOf);
      const requests = sum(given, requestsOf);
      const cost = Math.max(1, Math.floor(requests / 100 + 0.5));
      const expected =
        nodes > 500_000 ? { errors: [{ extensions: { value: nodes } }] } : { price: { nodes, requests, cost } };
      expect(price(`{ ${plain(given)} }`)).toMatchObject(expected);
    }),
  );
});

const sameKind = (result: ReturnType<typeof price>) => (result.kind === 'priced' ? result.price : 'refused');

test('the price does not depend on variables, inline fragments, repetition or order', () => {
  fc.assert(
    fc.property(trees, (given) => {
      const expected = sameKind(price(`{ ${plain(given)} }`));
      const values: number[] = [];
      const named = written(given, ({ size }) => `$v${values.push(size) - 1}`, String);
      const definitions = values.map((_, i) => `$v${i}: Int`).join();
      const variables = Object.fromEntries(values.map((value, i) => [`v${i}`, value]));
      expect(sameKind(price(`query (${definitions}) { ${named} }`, variables))).toEqual(expected);
      const wrapped = written(
        given,
        ({ size }) => String(size),
        (text) => `... { __typename ${text} }`,
      );
      expect(sameKind(price(`{ ${wrapped} }`))).toEqual(expected);
      expect(sameKind(price(`{ ${plain(given)} ${plain(given)} }`))).toEqual(expected);
      expect(sameKind(price(`{ ...F } fragment F on Query { ${plain(given)} }`))).toEqual(expected);
    }),
  );
});
