import type { GraphQLError } from 'graphql';
import type { ConnectionPrice } from '@itsm/shared/pricing/breakdown';
import type { Price } from '@itsm/shared/pricing/formula';
import { costWindow } from '../callers/windows';
import type { Answer } from '@itsm/shared/pricing/price-document';

/** The report as text for the terminal. */
export function presentText(answer: Answer): string {
  const table = tableOf(answer.breakdown);
  if (answer.kind === 'priced') return `${table}${totalsOf(answer.price)}\n`;
  return `${table}Refused:\n${answer.errors.map(lineOf).join('\n')}\n`;
}

/** The report as JSON. */
export function presentJson(answer: Answer): string {
  const { breakdown } = answer;
  const shown =
    answer.kind === 'priced'
      ? { ...answer.price, breakdown }
      : { errors: answer.errors.map((error) => error.toJSON()), breakdown };
  return `${JSON.stringify(shown, undefined, 2)}\n`;
}

function lineOf({ message, locations, extensions }: GraphQLError): string {
  const at = locations?.[0];
  const fit = extensions['largestPageSize'];
  const where = at ? `${at.line}:${at.column} ` : '';
  const field = typeof extensions['field'] === 'string' ? `\`${extensions['field']}\`` : 'this field';
  const advice = typeof fit === 'number' ? ` (with a page size of at most ${fit} at ${field} the call fits)` : '';
  return `  ${where}${message}${advice}`;
}

const totalsOf = ({ cost, requests, nodes, depth }: Price): string =>
  `${count(cost, 'point')} of ${format(costWindow.limit)} per hour: ${count(requests, 'request')}, ${count(nodes, 'node')}, ${count(depth, 'level')}`;

const count = (value: number, unit: string): string => `${format(value)} ${unit}${value === 1 ? '' : 's'}`;
const format = (value: number): string => value.toLocaleString('en-US');

function tableOf(breakdown: readonly ConnectionPrice[]): string {
  if (breakdown.length === 0) return '';
  const rows = [
    ['line', 'page size', 'requests', 'nodes', 'connection'],
    ...breakdown.map(({ line, pageSize, requests, nodes, path }) => [
      String(line),
      format(pageSize),
      format(requests),
      format(nodes),
      path,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const text = rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
  return `${text.join('\n')}\n\n`;
}
