import { refused } from './semantics/case';
import type { Case, Rows } from './semantics/case';
import { queryCases } from './semantics/queries';
import { resultCases } from './semantics/results';
import { updateCases } from './semantics/updates';

/** Regression cases: this server once answered them differently from MongoDB. */
export const cases: Readonly<Record<string, Case>> = { ...queryCases, ...updateCases, ...resultCases };

/** The answer to a case. An error is given as its code. */
export async function answerTo({ documents, ask }: Case, rows: Rows): Promise<unknown> {
  if (documents.length > 0) await rows.insertMany(documents.map((one) => ({ ...one })));
  return ask(rows).catch(({ code }: { code: number }) => refused(code));
}
