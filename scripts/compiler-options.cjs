/** Shared by build and jest, so that tests run the code that is deployed. */
exports.compilerOptions = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  module: { type: 'commonjs' },
};
