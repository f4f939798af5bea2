/** What requests are sealed with, between the sender and the service. */
export const key = Buffer.alloc(32, 1);
