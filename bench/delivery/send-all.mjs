/**
 * Publishes `count` messages of `make(index)`, at `perSecond` or as fast as they are accepted. Returns the start time,
 * and `[id, milliseconds, index]` of each.
 */
export async function sendAll({ count, perSecond = 0, atOnce = 200 }, make) {
  const started = Date.now();
  const sent = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      if (perSecond)
        await new Promise((resolve) => setTimeout(resolve, started + (index / perSecond) * 1000 - Date.now()));
      const made = make(index);
      sent.push([made.id, Date.now(), made.index]);
      await made.publish();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return { started, sent };
}
