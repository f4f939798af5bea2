import { findDifference } from './differences';
import type { ExecutionResult } from './executor';

const result = (data: string, errors: ExecutionResult['errors'] = [], isIncomplete = false): ExecutionResult => ({
  data,
  errors,
  isIncomplete,
});
const error = (code: string, ...path: (string | number)[]) => ({ message: 'm', path, extensions: { code } });

test.each<[string, ExecutionResult | undefined, ExecutionResult | undefined, object | undefined]>([
  ['equal data', result('{"a":[1,null]}'), result('{"a":[1,null]}'), undefined],
  ['the same number in other words', result('{"a":1}'), result('{"a":1.0}'), undefined],
  [
    'another value',
    result('{"a":[{"b":1},{"b":2}]}'),
    result('{"a":[{"b":1},{"b":3}]}'),
    { kind: 'data', path: 'a.1.b' },
  ],
  ['null for an object', result('{"a":{"b":1}}'), result('{"a":null}'), { kind: 'data', path: 'a' }],
  ['a list that is shorter', result('{"a":[1,2]}'), result('{"a":[1]}'), { kind: 'data', path: 'a' }],
  ['a field that is missing', result('{"a":{"b":1,"c":2}}'), result('{"a":{"b":1}}'), { kind: 'data', path: 'a' }],
  ['another order of fields', result('{"a":1,"b":2}'), result('{"b":2,"a":1}'), { kind: 'data', path: '' }],
  ['no data at all', result('null'), result('{"a":1}'), { kind: 'data', path: '' }],
  [
    'errors in another order and with other words',
    result('null', [error('A', 'x'), error('B', 'y', 1)]),
    result('null', [{ ...error('B', 'y', 1), message: 'other' }, error('A', 'x')]),
    undefined,
  ],
  ['another code', result('null', [error('A', 'x')]), result('null', [error('B', 'x')]), { kind: 'errors', path: 'x' }],
  [
    'another place',
    result('null', [error('A', 'x', 0)]),
    result('null', [error('A', 'x', 1)]),
    { kind: 'errors', path: 'x.0' },
  ],
  [
    'an error twice',
    result('null', [error('A', 'x')]),
    result('null', [error('A', 'x'), error('A', 'x')]),
    { kind: 'errors', path: 'x' },
  ],
  ['one that is incomplete', result('null', [], true), result('null'), { kind: 'errors' }],
  ['one that failed', undefined, result('null'), { kind: 'failed' }],
  ['two that failed', undefined, undefined, undefined],
])('%s', (_name, one, other, expected) => {
  expect(findDifference(one, other)).toEqual(expected);
});
