import { mostOrderFields, orderArgument, toOrder } from './list-arguments';

const steps = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({ field: `field${index}`, direction: 'asc' as const }));

test('the schema documents the limit of order fields, and one more is refused', () => {
  expect(orderArgument('Thing')).toBe('"At most 3 fields." order: [ThingOrder!]');
  expect(toOrder({ order: steps(mostOrderFields) }).map(({ field }) => field)).toEqual([
    'field0',
    'field1',
    'field2',
    'id',
  ]);
  expect(() => toOrder({ order: steps(mostOrderFields + 1) })).toThrow('`order` takes at most 3 fields');
});
