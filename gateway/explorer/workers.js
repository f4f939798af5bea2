const known = new Set(['graphql', 'json']);

/** The URLs of Monaco's web workers. */
globalThis.MonacoEnvironment = {
  getWorker: (_id, label) => new Worker(`/graphql/explorer/${known.has(label) ? label : 'editor'}.worker.js`),
};
