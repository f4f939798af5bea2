import { repeatOnce } from './repeat-once';

const stepDown = Object.assign(new Error('not primary'), { name: 'MongoServerError', code: 10_107 });

/** Fails as often as there are errors, then says how often it was tried. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  let tries = 0;
  return () => {
    tries += 1;
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve(tries);
  };
}

test('a write that met a primary that left is made once more', async () => {
  await expect(repeatOnce(failing(stepDown))).resolves.toBe(2);
  await expect(repeatOnce(failing(stepDown, stepDown))).rejects.toBe(stepDown);
});

test('a refused write is not', async () => {
  const refused = Object.assign(new Error('taken'), { name: 'MongoServerError', code: 11_000 });
  await expect(repeatOnce(failing(refused))).rejects.toBe(refused);
});
