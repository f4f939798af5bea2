import { answerTo, cases } from './testing/semantics';
import { useServer } from './test-server';

const { database } = useServer();

test.each(Object.entries(cases))('%s', async (_name, one) => {
  expect(await answerTo(one, database().collection('rows'))).toEqual(one.answer);
});
