import type { Response } from 'express';

type Written = Parameters<Response['write']>;

/** Holds the answer until `settle` has had its body. It must not reject. */
export function onEnd(res: Response, settle: (body: Buffer) => Promise<void>): void {
  const end = res.end.bind(res) as (body: Buffer, done?: () => void) => Response;
  const chunks: Buffer[] = [];
  const take = ([chunk, encoding]: readonly unknown[]): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const callbackIn = (parts: readonly unknown[]) =>
    parts.find((part): part is () => void => typeof part === 'function');
  res.write = ((...parts: Written) => {
    take(parts);
    callbackIn(parts)?.();
    return true;
  }) as Response['write'];
  res.end = ((...parts: readonly unknown[]) => {
    take(parts);
    const body = Buffer.concat(chunks);
    void settle(body).then(() => end(body, callbackIn(parts)));
    return res;
  }) as Response['end'];
}
