import { runCost } from './cost.command';

runCost(process.argv.slice(2), { token: process.env['ITSM_TOKEN'] }).then(
  ({ output, errors, exitCode }) => {
    process.stdout.write(output);
    process.stderr.write(errors);
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
