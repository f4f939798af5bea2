import { Int32, Long, Timestamp } from 'bson';
import { isDocument } from '../documents/document';
import { compareValues } from '../documents/key-string';
import { CommandError } from '../errors/command-error';
import { add, asNumber, multiply, toBigInt } from './numbers';
import type { UpdateOperator } from './operator';

const $set: UpdateOperator = { reach: 'create', apply: (slot, operand) => slot.set(operand) };
const $unset: UpdateOperator = { reach: 'as far as it goes', apply: (slot) => slot.remove() };

function arithmetic(name: string, combine: typeof add, fromMissing: Int32): UpdateOperator {
  return {
    reach: 'create',
    apply(slot, operand, { path }) {
      const amount = asNumber(operand);
      if (!amount)
        throw new CommandError('TypeMismatch', `Cannot ${name.slice(1)} with non-numeric argument: {${path}}`);
      const current = slot.get();
      const number = current === undefined ? fromMissing : asNumber(current);
      if (!number) {
        throw new CommandError('TypeMismatch', `Cannot apply ${name} to a value of non-numeric type: field '${path}'`);
      }
      slot.set(combine(number, amount));
    },
  };
}

/** Replaces the value when the operand is less (-1) or greater (1). */
const extreme = (side: -1 | 1): UpdateOperator => ({
  reach: 'create',
  apply(slot, operand) {
    const current = slot.get();
    if (current === undefined || compareValues(operand, current) * side > 0) slot.set(operand);
  },
});

let timestampIncrement = 0;

const $currentDate: UpdateOperator = {
  reach: 'create',
  apply(slot, operand, { now }) {
    const type = isDocument(operand) ? operand['$type'] : 'date';
    if (type === 'timestamp') {
      timestampIncrement += 1;
      slot.set(new Timestamp({ t: Math.floor(now.getTime() / 1000), i: timestampIncrement }));
    } else if (type === 'date') slot.set(new Date(now));
    else throw new CommandError('BadValue', "The '$type' string field is required to be 'date' or 'timestamp'");
  },
};

const bitwise: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const $bit: UpdateOperator = {
  reach: 'create',
  apply(slot, operand, { path }) {
    for (const [name, mask] of Object.entries(isDocument(operand) ? operand : {})) {
      const combine = bitwise[name];
      const current = slot.get() ?? new Int32(0);
      if (!combine)
        throw new CommandError('BadValue', `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
      if (!isInteger(current) || !isInteger(mask)) {
        throw new CommandError('BadValue', `Cannot apply $bit to a value of non-integral type: field '${path}'`);
      }
      const result = combine(toBigInt(current), toBigInt(mask));
      slot.set(Long.isLong(current) || Long.isLong(mask) ? Long.fromBigInt(result) : new Int32(Number(result)));
    }
  },
};

const isInteger = (value: unknown): value is Int32 | Long => value instanceof Int32 || Long.isLong(value);

export const fieldOperators: Readonly<Record<string, UpdateOperator>> = {
  $set,
  $setOnInsert: $set,
  $unset,
  $inc: arithmetic('$inc', add, new Int32(0)),
  $mul: arithmetic('$mul', multiply, new Int32(0)),
  $min: extreme(-1),
  $max: extreme(1),
  $currentDate,
  $bit,
};
