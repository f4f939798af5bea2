/** How TypeScript becomes JavaScript; jest uses the same, so that tests run what is deployed. */
exports.compilerOptions = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  module: { type: 'commonjs' },
};
