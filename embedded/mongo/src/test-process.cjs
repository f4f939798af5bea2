// Runs the server in a process of its own, from its TypeScript sources: node test-process.cjs DIRECTORY
require('./typescript.cjs');

// Beyond a limit on the size of files a write fails with EFBIG, as on a full disk, where the process does not die of the signal.
process.on('SIGXFSZ', () => undefined);

require('./server.ts')
  .startEmbeddedMongo({ directory: process.argv[2] })
  .then(
    ({ url }) => process.stdout.write(`${url}\n`),
    (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    },
  );
