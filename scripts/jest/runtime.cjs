const { sep } = require('node:path');
const { compileFunction, constants } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

const installed = `${sep}node_modules${sep}`;

/** Libraries are loaded once in a worker, by Node itself as in production; our own modules again for each suite. */
module.exports = class Runtime extends JestRuntime {
  constructor(...parameters) {
    super(...parameters);
    const { executor } = this.cjsLoader;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (moduleName && !options?.isInternalModule && !this._resolution.isCoreModule(moduleName)) {
      const path = this._resolution.resolveCjs(from, moduleName);
      if (path.includes(installed)) return require(path);
    }
    return super.requireModule(from, moduleName, options, isRequireActual);
  }
};
