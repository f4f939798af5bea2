// The graph service in a process of its own.
import { answer } from '../measure.mjs';
import { startApp } from '../records/graph-app.mjs';

async function start({ mongodbUrl }) {
  const { url, token } = await startApp(mongodbUrl, () => {});
  return { origin: new URL(url).origin, token };
}

answer({ start, end: () => process.exit(0) });
