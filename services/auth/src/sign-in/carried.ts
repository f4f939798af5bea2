import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';

/**
 * What a browser carries for us from one page to another, so that nothing is stored for people whom we do not know yet. It is
 * compressed, since an address or a cookie holds little, and sealed.
 */
export interface Carried<Content extends object> {
  pack(content: Content): string;
  /** Undefined when its time is over, or when we did not pack it as it is. */
  unpack(text: string): Content | undefined;
}

interface Kept<Content> {
  readonly content: Content;
  readonly until: number;
}

/** `context` says what it is, so that nothing else of ours is taken for it; dates in it become texts. */
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
