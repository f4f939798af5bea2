const known = new Set(['graphql', 'json']);

/** Where the editor finds its workers. */
globalThis.MonacoEnvironment = {
  getWorker: (_id, label) => new Worker(`/graphql/explorer/${known.has(label) ? label : 'editor'}.worker.js`),
};
