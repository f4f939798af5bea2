import { workers } from './attack.mjs';

const rows = 50_000;
const boundary = 'bench-boundary';

function fileOf(n) {
  const lines = Array.from({ length: rows }, (_none, i) => `Imported ${n} ${i} by the greedy account,assigned`);
  return [
    `--${boundary}\r\nContent-Disposition: form-data; name="type"\r\n\r\nrequest\r\n`,
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="requests.csv"\r\n`,
    `Content-Type: text/csv\r\n\r\nsubject,status\n${lines.join('\n')}\n\r\n--${boundary}--\r\n`,
  ].join('');
}

function importing({ baseUrl, greedy, call }) {
  const body = fileOf(0);
  return workers(
    8,
    (n, signal) =>
      call(`${baseUrl}/v1/import`, {
        method: 'POST',
        headers: { ...greedy[n % greedy.length], 'Content-Type': `multipart/form-data; boundary=${boundary}` },
        body,
        signal,
      }),
    202,
  );
}

export const imports = { 'imports of 50,000 rows': importing };
