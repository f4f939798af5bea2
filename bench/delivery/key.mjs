/** The delivery key that sender and service share. */
export const key = Buffer.alloc(32, 1);
