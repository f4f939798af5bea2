import type { Request } from 'express';
import { callerOf } from './authenticate';

const mostRanges = 20;

/**
 * The caller's preferred locales, best first: those of `X-Service-Language`, then those of `Accept-Language` (RFC 9110
 * §12.5.4), the person's own, and English. Returns canonical BCP 47 tags; invalid ones are dropped.
 */
export function languagesOf(req: Request): string[] {
  const asked = [req.get('x-service-language'), req.get('accept-language')].flatMap(parseRanges);
  const { locale } = callerOf(req);
  return [...new Set([...asked, ...canonical(locale), 'en'])];
}

/** The canonical form of a BCP 47 tag as a list of one; empty for an invalid tag. */
export function canonical(tag: string): string[] {
  try {
    return Intl.getCanonicalLocales(tag);
  } catch {
    return [];
  }
}

function parseRanges(header: string | undefined): string[] {
  if (!header) return [];
  const ranges = header.split(',', mostRanges).map((range) => {
    const [tag = '', weight = ''] = range.split(';').map((part) => part.trim());
    const quality = /^q=([01](\.\d{1,3})?)$/i.exec(weight)?.[1];
    return { tag, quality: quality === undefined ? 1 : Number(quality) };
  });
  return ranges
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .flatMap(({ tag }) => canonical(tag));
}
