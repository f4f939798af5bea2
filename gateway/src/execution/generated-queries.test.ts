import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { decisions, queryOf } from '../testing/generated-graph';
import { generatedSchema, startExecutor } from '../testing/start-executors';
import type { ExecutionResult } from './executor';

/** Errors in any order, as services answer concurrently. */
const shown = ({ data, errors, isIncomplete }: ExecutionResult) => ({
  data,
  errors: errors.map((error) => JSON.stringify(error)).sort(),
  isIncomplete,
});

test('both executors answer generated queries with the same bytes and the same requests', async () => {
  const ours = await startExecutor('compiled');
  const theirs = await startExecutor('apollo');
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(decisions, fc.boolean(), async (taken, yes) => {
      const query = queryOf(generatedSchema, taken);
      fc.pre(validate(generatedSchema, parse(query)).length === 0);
      compared += 1;
      for (const { sent } of [ours, theirs]) sent.length = 0;
      const expected = shown(await theirs.run(query, { yes }));
      expect({ query, ...shown(await ours.run(query, { yes })) }).toEqual({ query, ...expected });
      if (ours.sent.length > theirs.sent.length)
        expect({ query, yes, sent: ours.sent }).toEqual({ query, yes, sent: theirs.sent });
    }),
    { numRuns: Number(process.env['RUNS'] ?? 100), ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }) },
  );
  expect(compared).toBeGreaterThan(90);
});
