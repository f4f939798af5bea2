import { AppError } from '@itsm/shared/base/errors/app-error';

/** Bytes of request bodies that one gateway process buffers at once. */
export const mostHeldBytes = 64 * 1024 * 1024;

/** Accounts for the buffered bytes of all owners (accounts, networks). */
export interface HeldBytes {
  /** Starts to account for one body. */
  open(owner: string): HeldBody;
}

export interface HeldBody {
  /**
   * Adds received bytes. Returns the refusal if they may not be buffered: 429 when the owner has more than its share,
   * else 503.
   */
  add(bytes: number): AppError | undefined;
  /** Releases the body's bytes; later ones are not counted. */
  close(): void;
}

/** An owner may hold as many bytes as remain free, which is half of all when nobody else holds any. */
export function createHeldBytes(most = mostHeldBytes): HeldBytes {
  const held = new Map<string, number>();
  let all = 0;
  const add = (owner: string, bytes: number): void => {
    all += bytes;
    const own = (held.get(owner) ?? 0) + bytes;
    if (own === 0) held.delete(owner);
    else held.set(owner, own);
  };
  return {
    open(owner) {
      let ofBody = 0;
      let isOpen = true;
      return {
        add(bytes) {
          if (!isOpen) return undefined;
          const own = held.get(owner) ?? 0;
          if (own + bytes > most - all - bytes) return own > 0 ? ownerHasTooMany() : noneLeft();
          ofBody += bytes;
          add(owner, bytes);
          return undefined;
        },
        close() {
          if (ofBody > 0) add(owner, -ofBody);
          ofBody = 0;
          isOpen = false;
        },
      };
    },
  };
}

/** The rest of the body is not read, so the connection cannot be reused. */
const connection = { Connection: 'close' };
const ownerHasTooMany = (): AppError =>
  new AppError('too_many_calls', 'Too much is being sent at once', { headers: { 'Retry-After': '1', ...connection } });
const noneLeft = (): AppError => new AppError('service_unavailable', 'Service Unavailable', { headers: connection });
