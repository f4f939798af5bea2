import { parseArgs } from 'node:util';
import { runCommand } from './run-command';

/** Publishes every account and person again. Resumes an interrupted run, unless `--restart` is given. */
runCommand(process.env, () => {
  const { restart = false } = parseArgs({ options: { restart: { type: 'boolean' } } }).values;
  return async (operator) => {
    const { accounts, people } = await operator.backfill({ restart });
    return `Published ${accounts} accounts and ${people} people`;
  };
});
