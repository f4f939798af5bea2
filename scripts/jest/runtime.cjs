const { sep } = require('node:path');
const { compileFunction, constants } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

const installed = `${sep}node_modules${sep}`;

/** Compiled code in this worker, by file; each suite evaluates it again for its own modules. */
const compiled = new Map();

/** Libraries are loaded once per worker by Node itself, as in production; our own modules once per suite. */
module.exports = class Runtime extends JestRuntime {
  constructor(...parameters) {
    super(...parameters);
    const { executor } = this.cjsLoader;
    executor.compile = (source, filename) => {
      const known = compiled.get(filename);
      if (known?.source === source) return known.run;
      const run = compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
      compiled.set(filename, { source, run });
      return run;
    };
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (moduleName && !options?.isInternalModule && !this._resolution.isCoreModule(moduleName)) {
      const path = this._resolution.resolveCjs(from, moduleName);
      if (path.includes(installed)) return require(path);
    }
    return super.requireModule(from, moduleName, options, isRequireActual);
  }
};
