import { stripJpeg, withoutPlace } from './without-place';

const segment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff]), content]);
const jfif = segment(0xe0, Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\0\0', 'latin1'));
const table = segment(0xdb, Buffer.alloc(65, 1));
const scan = Buffer.concat([segment(0xda, Buffer.alloc(10)), Buffer.from('picture'), Buffer.from([0xff, 0xd9])]);
/** With one entry in either order of bytes, and a place behind it. */
function exif(orientation: number, isLittle = false): Buffer {
  const tiff = Buffer.alloc(26);
  const [write16, write32] = isLittle
    ? ([tiff.writeUInt16LE.bind(tiff), tiff.writeUInt32LE.bind(tiff)] as const)
    : ([tiff.writeUInt16BE.bind(tiff), tiff.writeUInt32BE.bind(tiff)] as const);
  tiff.write(isLittle ? 'II' : 'MM', 'latin1');
  write16(42, 2);
  write32(8, 4);
  write16(1, 8);
  write16(0x0112, 10);
  write16(3, 12);
  write32(1, 14);
  write16(orientation, 18);
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from('GPS 52.37 N, 4.89 E')]));
}
const xmp = segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x>GPS</x>', 'latin1'));
const photoshop = segment(0xed, Buffer.from('Photoshop 3.0\0GPS', 'latin1'));
const photo = (...segments: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, table, scan]);
const strip = (bytes: Buffer): Buffer | undefined => {
  const parts = stripJpeg(new Uint8Array(bytes));
  return parts && Buffer.concat(parts);
};

test.each([false, true])(
  'a photo loses its place and its camera, and keeps its orientation (little-endian: %s)',
  (is) => {
    const stripped = strip(photo(jfif, exif(6, is), xmp, photoshop));
    expect(stripped?.includes('GPS')).toBe(false);
    // What it has now is read as what it had.
    expect(stripped).toEqual(strip(photo(exif(6), jfif)));
    expect(stripped?.length).toBe(photo(jfif).length + 36);
    expect(stripped?.subarray(-scan.length)).toEqual(scan);
  },
);

test('an upright photo has no Exif afterwards', () => {
  expect(strip(photo(jfif, exif(1)))).toEqual(photo(jfif));
  expect(strip(photo(jfif))).toEqual(photo(jfif));
});

test.each([
  ['in a comment', photo(jfif, segment(0xfe, Buffer.from('GPS')))],
  ['in the manifest of its origin', photo(jfif, segment(0xeb, Buffer.from('JP..jumb GPS')))],
  ['in a segment of Photoshop with another name', photo(jfif, segment(0xed, Buffer.from('Adobe_Photoshop2.5 GPS')))],
  ['behind bytes that fill the space before a marker', photo(jfif, Buffer.of(0xff, 0xff, 0xff), exif(1))],
  ['behind a segment that is longer than it says', photo(jfif, exif(1), Buffer.from('GPS'))],
  ['in a second picture', Buffer.concat([photo(jfif), photo(exif(6))])],
  ['in a film', Buffer.concat([photo(jfif), Buffer.from('ftypmp42 GPS')])],
  ['between two scans', photo(jfif, scan.subarray(0, -2), exif(1), xmp)],
])('a place %s is not sent', (_where, bytes) => {
  const stripped = strip(bytes);
  expect(stripped?.includes('GPS')).toBe(false);
  expect(stripped?.subarray(0, 2 + jfif.length)).toEqual(photo(jfif).subarray(0, 2 + jfif.length));
  expect(stripped?.subarray(-scan.length)).toEqual(scan);
});

test('all that shows the picture stays, also when it breaks off', () => {
  const colours = [segment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01')), segment(0xee, Buffer.from('Adobe\0d'))];
  // Escaped bytes, restart markers and a second scan with a table of its own.
  const data = Buffer.from('a\xff\0b\xff\xd0c\xff\xd7d', 'latin1');
  const scans = [segment(0xda, Buffer.alloc(10)), data, segment(0xc4, Buffer.alloc(20)), segment(0xda, data), data];
  const whole = photo(jfif, ...colours, ...scans);
  expect(strip(whole)).toEqual(whole);
  expect(strip(Buffer.concat([whole, Buffer.from('a film')]))).toEqual(whole);
  const begin = photo(jfif, ...colours).length - table.length - scan.length + 14;
  for (let length = begin; length < whole.length; length += 1)
    expect(strip(whole.subarray(0, length))?.length).toBeGreaterThan(length - 4);
});

test('millions of segments are read once', () => {
  const many = Buffer.concat([
    photo(jfif).subarray(0, -scan.length),
    Buffer.alloc(4_000_000, '\xff\xe1\0\x02\xff\xc4\0\x02', 'latin1'),
    scan,
  ]);
  expect(strip(many)?.length).toBe(many.length - 2_000_000);
  expect(stripJpeg(new Uint8Array(many))).toHaveLength(2);
});

test.each([
  ['a text', Buffer.from('GPS')],
  ['an empty file', Buffer.alloc(0)],
  ['a JPEG that ends early', photo(jfif, exif(6)).subarray(0, 40)],
  ['a JPEG without a picture', Buffer.concat([Buffer.from([0xff, 0xd8]), jfif])],
])('%s stays as it is', async (_name, bytes) => {
  const file = new File([new Uint8Array(bytes)], 'x');
  expect(await withoutPlace(file)).toBe(file);
});

test('an Exif segment of nonsense is dropped', () => {
  const nonsense = (content: string) => segment(0xe1, Buffer.from(`Exif\0\0${content}`, 'latin1'));
  for (const content of ['', 'MM', 'MM\0*\xff\xff\xff\xff', 'MM\0*\0\0\0\x08\xff\xff\x01\x12'])
    expect(strip(photo(nonsense(content)))).toEqual(photo());
});
