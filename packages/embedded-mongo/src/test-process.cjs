// Runs the server in its own process, from the TypeScript sources: node test-process.cjs DIRECTORY
require('./typescript.cjs');

// A write beyond the file size limit fails with EFBIG, as on a full disk. Without this handler the signal would end the
// process.
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
