import { recordTypes } from './all';
import { describeRecord } from './describe-record';

test('a description marks the texts that take files', () => {
  const marked = recordTypes.map(({ name, ...type }) => [
    name,
    describeRecord({ name, ...type })
      .fields.filter(({ takesFiles }) => takesFiles)
      .map((field) => field.name),
  ]);
  expect(Object.fromEntries(marked)).toMatchObject({
    problem: ['workaround', 'customFields'],
    request: ['customFields'],
    sla: ['remarks'],
  });
});
