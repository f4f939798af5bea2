import { repeatOnce } from './repeat-once';

const stepDown = Object.assign(new Error('not primary'), { name: 'MongoServerError', code: 10_107 });

/** Fails with each of the errors in turn, then returns the number of attempts. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  let tries = 0;
  return () => {
    tries += 1;
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve(tries);
  };
}

test('a write is retried once when the primary steps down', async () => {
  await expect(repeatOnce(failing(stepDown))).resolves.toBe(2);
  await expect(repeatOnce(failing(stepDown, stepDown))).rejects.toBe(stepDown);
});

test('a refused write is not retried', async () => {
  const refused = Object.assign(new Error('taken'), { name: 'MongoServerError', code: 11_000 });
  await expect(repeatOnce(failing(refused))).rejects.toBe(refused);
});
