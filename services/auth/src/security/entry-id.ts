import { randomInt } from 'node:crypto';

const epoch = Date.UTC(2020, 0, 1);
/** 15 digits, the most a cursor holds; lasts until 2051. */
const horizon = 999_999_999_999_999;
const perMillisecond = 1000;

/** Ids that fall with time, without a counter in the store; two processes may meet, the store refuses the second then. */
export function createEntryIds(): (at: Date) => number {
  let count = randomInt(perMillisecond);
  return (at) => {
    count = (count + 1) % perMillisecond;
    return horizon - ((at.getTime() - epoch) * perMillisecond + count);
  };
}
