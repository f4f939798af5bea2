/**
 * The time in milliseconds for which a caller keeps a connection that it does not use. A process that stops serves for
 * longer than this: by then each connection was used and told to close, or closed by its caller. A call that is sent
 * while its connection closes would be lost, and only a read may be sent again (RFC 9112 §9.3.1).
 */
export const idleMilliseconds = 4_000;
