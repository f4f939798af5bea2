import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createFileFolder } from '../testing/attachment-kit';
import { describeStorage } from './attachment-storage.contract';
import { createFileStorage } from './file-storage';

const files = createFileFolder();
afterAll(() => files.remove());

describeStorage(createFileStorage(pathToFileURL(files.folder)), () => {
  const all = readdirSync(files.folder, { recursive: true, withFileTypes: true });
  return Promise.resolve(all.filter((entry) => entry.isFile()).map(({ name }) => name));
});
