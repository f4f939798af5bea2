import { Kind, getLocation, parse, visit } from 'graphql';
import type { ArgumentNode, FieldNode, GraphQLError } from 'graphql';
import { limits } from '@itsm/shared/pricing/limits';
import type { Draft } from './question';
import { readVariables } from './question';

/** A change of the draft that fixes a refusal, and the label of its button. */
export interface Fix {
  readonly verb: string;
  readonly apply: (draft: Draft) => Draft;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** One fix for all errors that a page size can fix, if any. */
export function fixOf(errors: readonly GraphQLError[], query: string): Fix | undefined {
  const sizes = errors.flatMap((error) => sizeFixOf(error, query) ?? []);
  const [first] = sizes;
  if (first === undefined) return undefined;
  const places = sizes.length === 1 ? '' : ` at ${sizes.length} fields`;
  return { verb: `${first.verb}${places}`, apply: (draft) => applyAll(draft, sizes) };
}

interface SizeFix {
  readonly verb: string;
  readonly edits: readonly Edit[];
  readonly variable: string | undefined;
  readonly size: number;
}

function sizeFixOf({ extensions }: GraphQLError, query: string): SizeFix | undefined {
  const { largestPageSize, line, column, variable } = extensions;
  if (typeof largestPageSize !== 'number') return undefined;
  const size = largestPageSize;
  const field = fieldAt(query, Number(line), Number(column));
  const name = typeof variable === 'string' ? variable : variableOf(field);
  if (name !== undefined) return { verb: `Set $${name}: ${size}`, edits: [], variable: name, size };
  if (!field) return undefined;
  const given = field.arguments?.find(isPageSize);
  return {
    verb: `Set ${given?.name.value ?? 'first'}: ${size}`,
    edits: editsOf(field, size),
    variable: undefined,
    size,
  };
}

const isPageSize = ({ name }: ArgumentNode): boolean => name.value === 'first' || name.value === 'last';

function variableOf(field: FieldNode | undefined): string | undefined {
  const value = field?.arguments?.find(isPageSize)?.value;
  return value?.kind === Kind.VARIABLE ? value.name.value : undefined;
}

/** Sets the page size, and removes a second one. */
function editsOf(field: FieldNode, size: number): Edit[] {
  const [given, other] = field.arguments?.filter(isPageSize) ?? [];
  const [next] = field.arguments ?? [];
  if (given?.value.loc && other?.loc)
    return [
      { from: given.value.loc.start, to: given.value.loc.end, text: String(Math.min(size, limits.pageSize)) },
      { from: other.loc.start, to: other.loc.end, text: '' },
    ];
  if (given?.value.loc) return [{ from: given.value.loc.start, to: given.value.loc.end, text: String(size) }];
  if (next?.loc) return [{ from: next.loc.start, to: next.loc.start, text: `first: ${size}, ` }];
  const end = field.name.loc?.end ?? 0;
  return [{ from: end, to: end, text: `(first: ${size})` }];
}

function fieldAt(query: string, line: number, column: number): FieldNode | undefined {
  let found: FieldNode | undefined;
  visit(parse(query), {
    Field(node) {
      if (!node.loc) return;
      const at = getLocation(node.loc.source, node.loc.start);
      if (at.line === line && at.column === column) found = node;
    },
  });
  return found;
}

function applyAll(draft: Draft, fixes: readonly SizeFix[]): Draft {
  const edits = fixes.flatMap((fix) => fix.edits).sort((one, other) => other.from - one.from);
  const query = edits.reduce(
    (text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to),
    draft.query,
  );
  const named = fixes.flatMap(({ variable, size }) => (variable === undefined ? [] : [[variable, size] as const]));
  const given = readVariables(draft.variables);
  const variables =
    named.length === 0 || typeof given === 'string'
      ? draft.variables
      : JSON.stringify(Object.assign({}, given, Object.fromEntries(named)), null, 2);
  return { query, variables, operation: draft.operation };
}
