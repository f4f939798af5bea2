// Runs the server in a process of its own, from its TypeScript sources: node test-process.cjs DIRECTORY
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('@swc/core');

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
};

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
