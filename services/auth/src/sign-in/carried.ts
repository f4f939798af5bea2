import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';

/**
 * State kept in the browser (URL, cookie or form) instead of the store, so that nothing is stored for people who are
 * not signed in. It is compressed, because URLs and cookies are limited, and sealed.
 */
export interface Carried<Content extends object> {
  pack(content: Content): string;
  /** Undefined when expired, or not packed by us for this context. */
  unpack(text: string): Content | undefined;
}

interface Kept<Content> {
  readonly content: Content;
  readonly until: number;
}

/** `context`: the purpose, so that a sealed text of another purpose is refused. Dates become ISO texts. */
export const createCarried = <Content extends object>(
  sealer: Pick<Sealer, 'seal' | 'openBytes'>,
  now: Clock,
  { context, milliseconds }: { readonly context: string; readonly milliseconds: number },
): Carried<Content> => ({
  pack(content) {
    const kept: Kept<Content> = { content, until: now().getTime() + milliseconds };
    return sealer.seal(deflateRawSync(JSON.stringify(kept)), context);
  },
  unpack(text) {
    const kept = open<Kept<Content>>(sealer, text, context);
    return kept && now().getTime() < kept.until ? kept.content : undefined;
  },
});

function open<T>(sealer: Pick<Sealer, 'openBytes'>, text: string, context: string): T | undefined {
  try {
    return JSON.parse(inflateRawSync(sealer.openBytes(text, context)).toString()) as T;
  } catch {
    return undefined;
  }
}
