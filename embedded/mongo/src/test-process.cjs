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

require('./server.ts')
  .startEmbeddedMongo({ directory: process.argv[2] })
  .then(
    ({ url }) => process.stdout.write(`${url}\n`),
    (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    },
  );
