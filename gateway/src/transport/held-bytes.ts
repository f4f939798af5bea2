import { AppError } from '@itsm/shared/base/errors/app-error';

/** Bytes of bodies that one process of the gateway keeps at once, until a service may have them. */
export const mostHeldBytes = 64 * 1024 * 1024;

/** What is kept of the bodies of all owners (accounts, networks). */
export interface HeldBytes {
  /** Begins to count what is kept of one body. */
  open(owner: string): HeldBody;
}

export interface HeldBody {
  /** Counts what has come. The refusal if it may not be kept: 429 when the owner has more than is left for others, else 503. */
  add(bytes: number): AppError | undefined;
  /** Nothing is kept any more, of what still comes neither. */
  close(): void;
}

/** An owner may have as many bytes as are free then: half of all, when nobody else has any. */
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

/** The rest of the body is not read, so the connection ends. */
const connection = { Connection: 'close' };
const ownerHasTooMany = (): AppError =>
  new AppError('too_many_calls', 'Too much is being sent at once', { headers: { 'Retry-After': '1', ...connection } });
const noneLeft = (): AppError => new AppError('service_unavailable', 'Service Unavailable', { headers: connection });
