import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
} from 'graphql';
import type { GraphQLField, GraphQLInputType } from 'graphql';
import { valueOf } from './testing/field-queries';
import { startScopedPlatform } from './testing/scoped-platform';
import type { ScopedPlatform } from './testing/scoped-platform';

let platform: ScopedPlatform;
beforeAll(async () => {
  platform = await startScopedPlatform();
});
afterAll(() => platform.close());

/** What no text may hold, and how the refusal names it. */
const texts = [
  { text: 'a\ud800b', escape: 'a\\ud800b', named: /U\+D800|Unicode escape sequence/ },
  { text: 'a\u0000b', escape: 'a\\u0000b', named: /U\+0000/ },
  { text: 'a\u001fb', escape: 'a\\u001fb', named: /U\+001F/ },
];

/** The texts that are sent to a place: all, or with TEXTS=short one, in turns. */
const sentTo = (place: number) =>
  process.env['TEXTS'] === 'short' ? texts.filter((_text, at) => at === place % texts.length) : texts;

type Path = readonly string[];
const others = ['Int', 'Float', 'Boolean'];

/** The paths of all texts in an input; an input within itself is entered once. */
function textPaths(type: GraphQLInputType, seen: readonly string[] = []): Path[] {
  const named = getNamedType(type);
  if (isScalarType(named)) return others.includes(named.name) ? [] : [[]];
  if (!isInputObjectType(named) || seen.includes(named.name)) return [];
  return Object.values(named.getFields()).flatMap((field) =>
    textPaths(field.type, [...seen, named.name]).map((path) => [field.name, ...path]),
  );
}

/** A valid literal with `leaf` at the path. */
function literalAt(type: GraphQLInputType, path: Path, leaf: string): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return `[${literalAt(nullable.ofType, path, leaf)}]`;
  const [first, ...rest] = path;
  if (!isInputObjectType(nullable) || first === undefined) return leaf;
  const members = Object.values(nullable.getFields()).flatMap((field) => {
    if (field.name === first) return [`${field.name}: ${literalAt(field.type, rest, leaf)}`];
    return isRequiredInputField(field) ? [`${field.name}: ${valueOf(field.name, field.type)}`] : [];
  });
  return `{ ${members.join(', ')} }`;
}

/** The same as a variable. Other members may be missing, since texts are checked first. */
function variableAt(type: GraphQLInputType, path: Path, leaf: string): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [variableAt(nullable.ofType, path, leaf)];
  const [first, ...rest] = path;
  const field = isInputObjectType(nullable) && first !== undefined ? nullable.getFields()[first] : undefined;
  return field ? { [field.name]: variableAt(field.type, rest, leaf) } : leaf;
}

interface Place {
  readonly mutation: GraphQLField<unknown, unknown>;
  readonly input: GraphQLInputType;
  readonly path: Path;
}

const places = (): Place[] =>
  Object.values(platform.schema.getMutationType()?.getFields() ?? {}).flatMap((mutation) =>
    mutation.args.flatMap(({ type: input }) => textPaths(input).map((path) => ({ mutation, input, path }))),
  );

/** Undefined for a clear refusal of the caller's text, or else what was answered. */
async function unlessRefused(answer: Response, named: RegExp): Promise<object | undefined> {
  const body = (await answer.json()) as {
    data?: unknown;
    errors?: { message: string; extensions?: { code?: string } }[];
  };
  const [error] = body.errors ?? [];
  const isOfCaller = /^(BAD_USER_INPUT|GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED)$/.test(
    error?.extensions?.code ?? '',
  );
  const isClear = answer.status < 500 && body.data === undefined && isOfCaller && named.test(error?.message ?? '');
  return isClear ? undefined : { status: answer.status, body };
}

/** The number of records in every list of the account. */
async function totals(): Promise<Record<string, unknown>> {
  const counted: Record<string, unknown> = {};
  for (const { name, args } of Object.values(platform.schema.getQueryType()?.getFields() ?? {})) {
    if (!args.some((argument) => argument.name === 'first') || args.some(({ type }) => isNonNullType(type))) continue;
    const { data } = await platform.ask<Record<string, unknown>>(
      platform.administrator,
      `{ ${name}(first: 1) { totalCount } }`,
    );
    counted[name] = data?.[name];
  }
  return counted;
}

test('no text of any input may hold half a surrogate pair or a control character, and nothing of such a call is done', async () => {
  const before = await totals();
  expect(Object.keys(before).length).toBeGreaterThan(10);
  const all = places();
  expect(all.length).toBeGreaterThan(200);
  const accepted: object[] = [];
  for (const [at, { mutation, input, path }] of all.entries()) {
    const [argument] = mutation.args;
    const check = async (named: RegExp, ...call: [document: string, variables?: object]) => {
      const fault = await unlessRefused(await platform.send(platform.administrator, ...call), named);
      if (fault) accepted.push({ call: `${mutation.name} ${path.join('.')}`, ...fault });
    };
    for (const { escape, named } of sentTo(at)) {
      const literal = literalAt(input, path, `"${escape}"`);
      await check(named, `mutation { ${mutation.name}(${argument?.name}: ${literal}) { __typename } }`);
    }
    const withVariables = `mutation($v: ${String(input)}) { ${mutation.name}(${argument?.name}: $v) { __typename } }`;
    for (const { text, named } of sentTo(at + 1))
      await check(named, withVariables, { v: variableAt(input, path, text) });
  }
  expect(accepted).toEqual([]);
  expect(await totals()).toEqual(before);
});
