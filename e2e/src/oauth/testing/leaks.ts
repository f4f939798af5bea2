import type { Answer } from './http-client';

/** All secrets in `answer`: tokens of every kind, codes, client secrets and session ids. */
export function secretsIn({ text, headers }: Answer): string[] {
  const shown = [text, headers.location ?? ''].flatMap((part) => part.match(/itsm_[a-z]+_\w{20,}/g) ?? []);
  const cookies = (headers['set-cookie'] ?? []).map((line) => /session=([\w-]{43})/.exec(line)?.[1]);
  return [...shown, ...cookies.filter((value) => value !== undefined)];
}

/** The secrets that occur in `text` as a word, whole or without their prefix. */
export function findLeaks(secrets: Iterable<string>, text: string): string[] {
  const sought = new Set([...secrets].flatMap((secret) => [secret, payloadOf(secret)]));
  const found = new Set<string>();
  for (const [word] of text.matchAll(/[\w-]{8,}/g)) {
    for (const part of [word, payloadOf(word)]) if (sought.has(part)) found.add(part);
  }
  return [...found];
}

const payloadOf = (token: string): string => token.replace(/^itsm_[a-z]+_/, '');
