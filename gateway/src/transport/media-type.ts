import type { IncomingMessage } from 'node:http';

export const json = 'application/json';
export const graphqlJson = 'application/graphql-response+json';

/**
 * Negotiates the media type of the answer (GraphQL over HTTP, "Media Types"); JSON without `Accept`, undefined when
 * neither is acceptable.
 */
export function mediaTypeOf({ headers: { accept } }: IncomingMessage): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === json) return json;
  const offers = [json, graphqlJson].map((type) => ({ type, ...preferenceOf(accept, type) }));
  const [best] = offers.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality || a.place - b.place);
  return best?.type;
}

/** The quality of a type and the index of the range that matched; the most specific range counts (RFC 9110 §12.5.1). */
function preferenceOf(accept: string, type: string): { quality: number; place: number } {
  const said = accept.split(',').flatMap((text, place) => {
    const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const precision = [`*/*`, 'application/*', type].indexOf(range);
    return precision < 0 ? [] : [{ precision, place, quality: qualityIn(parameters) }];
  });
  const [most] = said.sort((a, b) => b.precision - a.precision);
  return most ?? { quality: 0, place: 0 };
}

function qualityIn(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = text === undefined ? 1 : Number(text);
  return Number.isFinite(quality) ? quality : 0;
}
