const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\w*\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/Chrom(?:e|ium)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** What a person recognizes of a User-Agent: `Firefox 144 on Linux`, or the first product of a program, `curl/8.5.0`. */
export function shortenUserAgent(given: string | undefined): string {
  const text = (given ?? '').slice(0, 500);
  const system = systems.find(([pattern]) => pattern.test(text))?.[1];
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(text)?.[1];
    if (version !== undefined) return `${name} ${version}${system === undefined ? '' : ` on ${system}`}`;
  }
  return (/^[\w.+-]+(?:\/[\w.+-]+)?/.exec(text)?.[0] ?? '').slice(0, 60);
}
