/** How many times as slow as usual the engines may be. */
export const patience = Number(process.env['TEST_PATIENCE'] ?? 1);

/** How many of something a test of volume makes: a slower engine gets fewer, so that it is done in the same time. */
export const volume = (count: number): number => Math.ceil(count / patience);
