// npm run bench -- beside <gateways|deliveries|oauth>: our programs beside others', in turns, in one run. Other
// programs are named by environment variables (docs/benchmarks.md); missing ones are left out. All participating
// processes are counted.
const comparisons = ['gateways', 'deliveries', 'oauth'];

/** `[name, ...options]` of a comparison. */
export async function run([name, ...options]) {
  if (!comparisons.includes(name)) throw new Error(`npm run bench -- beside <${comparisons.join('|')}>`);
  const comparison = await import(`./${name}.mjs`);
  await comparison.run(options);
}
