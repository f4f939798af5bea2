/**
 * The colours of all pages, each with a light and a dark value. The console's tokens contain the same ones; a test
 * compares them.
 */
export const palette = {
  ground: ['#f3f5f8', '#0e141b'],
  surface: ['#ffffff', '#171f29'],
  sunken: ['#eef1f5', '#121922'],
  text: ['#17212e', '#e6ebf2'],
  muted: ['#566476', '#9cabbd'],
  line: ['#d9e0e8', '#2c3846'],
  accent: ['#1d4ed8', '#7aa7ff'],
  'accent-strong': ['#1e40af', '#9fbfff'],
  'on-accent': ['#ffffff', '#0b1526'],
  bad: ['#b42318', '#ff9d92'],
  'bad-ground': ['#fef0ee', '#33191a'],
  good: ['#067647', '#6fdca2'],
  'good-ground': ['#e7f8ef', '#10291d'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;
