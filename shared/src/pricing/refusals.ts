import type { GraphQLError } from 'graphql';
import type { Variables } from './conditions';
import { priceConnections } from './breakdown';
import { largestPageSize, suggestPageSize } from './largest-page-size';
import { limitError } from './limit-error';
import { limits } from './limits';
import type { SizeFault, SizeSource } from './page-size';
import type { SelectedFields } from './selected-field';
import type { Totals } from './totals';

const mostErrors = 10;

/** The errors of a call, with the page size that would make it fit; empty for a call within the limits. */
export function refusalsOf(fields: SelectedFields, variables: Variables, totals: Totals): GraphQLError[] {
  if (isWithin(totals)) return [];
  const errors = faultsOf(fields, variables, totals);
  const repetition = totals.repeated.refusal();
  if (repetition) errors.push(repetition);
  if (totals.depth > limits.depth) errors.push(tooDeep(totals));
  if (errors.length === 0) errors.push(tooManyNodes(fields, variables, totals));
  return errors.slice(0, mostErrors);
}

const isWithin = ({ depth, nodes, faults, repeated }: Totals): boolean =>
  faults.length === 0 && depth <= limits.depth && nodes <= limits.nodes && repeated.refusal() === undefined;

const hasFewNodes = ({ nodes }: Totals): boolean => nodes <= limits.nodes;

/** Suggests one page size for all connections whose size is missing or out of range, such that the call fits. */
function faultsOf(fields: SelectedFields, variables: Variables, { faults }: Totals): GraphQLError[] {
  if (faults.length === 0) return [];
  const sources = new Set(faults.map(({ source }) => source));
  const largest = largestPageSize(fields, variables, { sources, fits: hasFewNodes });
  return faults.slice(0, mostErrors).map((fault) => faultError(fault, largest));
}

function faultError(fault: SizeFault, largest: number | undefined): GraphQLError {
  const { node } = fault.field;
  const field = node.name.value;
  const facts = { field, limit: limits.pageSize, ...(largest !== undefined && { largestPageSize: largest }) };
  const advice = largest === limits.pageSize || largest === undefined ? '' : ` Here at most ${largest} would fit.`;
  switch (fault.kind) {
    case 'both': {
      const message = `Provide either \`first\` or \`last\` on the \`${field}\` connection, not both.${advice}`;
      return limitError('BAD_USER_INPUT', message, node, facts);
    }
    case 'missing': {
      const message = `You must provide \`first\` or \`last\` (1 to ${limits.pageSize}) on the \`${field}\` connection.${advice}`;
      return limitError('MISSING_PAGINATION', message, node, facts);
    }
    case 'out of range': {
      const message = `\`${fault.argument}\` on the \`${field}\` connection must be from 1 to ${limits.pageSize}, not ${fault.value}.${advice}`;
      return limitError('PAGE_SIZE_OUT_OF_RANGE', message, node, { ...facts, value: fault.value });
    }
  }
}

function tooDeep({ depth, deepest }: Totals): GraphQLError {
  const message = `The query is ${depth} levels deep; at most ${limits.depth} are permitted.`;
  return limitError('DEPTH_LIMIT_EXCEEDED', message, deepest, {
    ...(deepest && { field: deepest.name.value }),
    value: depth,
    limit: limits.depth,
  });
}

function tooManyNodes(fields: SelectedFields, variables: Variables, { nodes }: Totals): GraphQLError {
  const message = `Individual calls cannot request more than ${limits.nodes.toLocaleString('en-US')} total nodes.`;
  const suggestion = suggestPageSize(fields, variables, { by: 'nodes', fits: hasFewNodes });
  const field = suggestion?.field ?? largestConnection(fields, variables);
  return limitError('NODE_LIMIT_EXCEEDED', message, field?.node, {
    ...(field && { field: field.node.name.value }),
    value: nodes,
    limit: limits.nodes,
    ...(suggestion && { largestPageSize: suggestion.largestPageSize, ...variableOf(suggestion.source) }),
  });
}

const largestConnection = (fields: SelectedFields, variables: Variables) =>
  priceConnections(fields, variables).sort((a, b) => b.nodes - a.nodes)[0]?.selected;

/** When the page size is in a variable, the variable has to change. */
export const variableOf = (source: SizeSource): { readonly variable?: string } =>
  typeof source === 'string' ? { variable: source } : {};
