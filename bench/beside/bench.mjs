// npm run bench -- beside <gateways|deliveries|oauth>: ours beside programs of others, in turns, in one run. Each of them is named by an
// environment variable (docs/benchmarks.md); one that is not named is left out. Everything that takes part is counted.
const comparisons = ['gateways', 'deliveries', 'oauth'];

/** `[name, ...options]` of a comparison. */
export async function run([name, ...options]) {
  if (!comparisons.includes(name)) throw new Error(`npm run bench -- beside <${comparisons.join('|')}>`);
  const comparison = await import(`./${name}.mjs`);
  await comparison.run(options);
}
