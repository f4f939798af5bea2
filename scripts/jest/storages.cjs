const { AsyncLocalStorage } = require('node:async_hooks');

/**
 * Watches the storages that are entered in this process. Each suite has those of its own modules, and Node 20 visits every
 * one that was ever entered at each promise. The returned function disables them; a library's is enabled again when it
 * is entered again. Called again, it watches nothing twice.
 */
exports.watchStorages = () => {
  globalThis.enteredStorages ??= watch();
  return () => {
    for (const storage of globalThis.enteredStorages) storage.disable();
    globalThis.enteredStorages.clear();
  };
};

function watch() {
  const entered = new Set();
  for (const name of ['run', 'enterWith']) {
    const { [name]: enter } = AsyncLocalStorage.prototype;
    AsyncLocalStorage.prototype[name] = function (...parameters) {
      entered.add(this);
      return enter.apply(this, parameters);
    };
  }
  return entered;
}
