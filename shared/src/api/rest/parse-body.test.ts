import { z } from 'zod';
import { AppError } from '../../base/errors/app-error';
import { parseBody } from './parse-body';

const schema = z
  .strictObject({
    text: z.string('Text must be text'),
    remark: z.string('Remark must be text').nullable().optional(),
    flag: z.boolean('Flag must be true or false').default(false),
    count: z.int('Count must be a whole number').min(1, 'Count must be at least 1').nullable(),
    day: z.iso.date('Day must be a date').nullable(),
    several: z.array(z.int('Several must be numbers')),
    inner: z.strictObject({ flag: z.boolean().optional() }),
    either: z.union([z.int(), z.strictObject({ flag: z.boolean() }), z.literal('5')], 'Either must be one of both'),
  })
  .partial()
  .transform((input) => input);

const refusals = (body: unknown): unknown => {
  try {
    return parseBody(schema, body);
  } catch (error) {
    return error instanceof AppError ? error.details.errors : error;
  }
};

test.each<[body: object, taken: object]>([
  [{ flag: 'true' }, { flag: true }],
  [{ flag: 'false' }, { flag: false }],
  [{ flag: false }, { flag: false }],
  [{ count: '5' }, { count: 5 }],
  [{ count: '' }, { count: null }],
  [{ remark: '' }, { remark: null }],
  [{ day: '' }, { day: null }],
  [{ day: '2026-03-18' }, { day: '2026-03-18' }],
  [
    { text: '5', remark: 'true' },
    { text: '5', remark: 'true' },
  ],
  [{ text: '' }, { text: '' }],
  [{ several: ['-1', 2, '3'] }, { several: [-1, 2, 3] }],
  [{ inner: { flag: 'true' } }, { inner: { flag: true } }],
  [{ either: '7' }, { either: 7 }],
  [{ either: '5' }, { either: '5' }],
  [{ either: { flag: 'true' } }, { either: { flag: true } }],
])('%j is read as %j', (body, taken) => {
  expect(parseBody(schema, body)).toEqual({ flag: false, ...taken });
});

test.each<[body: object, error: readonly [string, string]]>([
  [{ flag: 'yes' }, ['flag', 'Flag must be true or false']],
  [{ flag: '' }, ['flag', 'Flag must be true or false']],
  [{ flag: 'TRUE' }, ['flag', 'Flag must be true or false']],
  [{ count: 'five' }, ['count', 'Count must be a whole number']],
  [{ count: '5.5' }, ['count', 'Count must be a whole number']],
  [{ count: ' 5' }, ['count', 'Count must be a whole number']],
  [{ count: '0x5' }, ['count', 'Count must be a whole number']],
  [{ count: '9999999999999999' }, ['count', 'Count must be a whole number']],
  [{ count: '0' }, ['count', 'Count must be at least 1']],
  [{ text: 5 }, ['text', 'Text must be text']],
  [{ text: null }, ['text', 'Text must be text']],
  [{ either: 'x' }, ['either', 'Either must be one of both']],
  [{ constructor: 'true' }, ['constructor', 'Unknown member']],
])('%j is refused with the ordinary error', (body, error) => {
  expect(refusals(body)).toEqual([error]);
});

test.each([[[]], ['true'], [null]])('a body that is no object (%j) is refused', (body) => {
  expect(refusals(body)).toHaveLength(1);
});
