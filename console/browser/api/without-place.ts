/** Application segments that a picture needs: the form of its file, and its colours. Others may tell anything. */
const needed: readonly (readonly [marker: number, name: string])[] = [
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
];
const [endOfImage, startOfScan, description, comment] = [0xd9, 0xda, 0xe1, 0xfe];
const orientationTag = 0x0112;

/** A photo without the place and the camera of which it tells; its orientation stays. Other files are as they were. */
export async function withoutPlace(file: File): Promise<File> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const stripped = stripJpeg(bytes);
  return stripped ? new File(stripped, file.name, { type: file.type }) : file;
}

/**
 * The parts of a JPEG that show its picture: without what describes it, and without what phones put behind its end, such
 * as a film that has the place as well. Undefined for what is none, or is broken before its picture.
 */
export function stripJpeg(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // One piece of memory, however many segments there are.
  const kept = new Uint8Array(bytes.length);
  let size = 0;
  let orientation = 1;
  let hasPicture = false;
  for (let at = nextMarker(bytes, 2), end: number; at < bytes.length; at = end) {
    const marker = bytes[at + 1] ?? 0;
    const isLast = marker === endOfImage || at + 4 > bytes.length;
    // A scan goes on behind its segment.
    end = isLast ? bytes.length : nextMarker(bytes, at + 2 + view.getUint16(at + 2));
    hasPicture ||= marker === startOfScan;
    const content = bytes.subarray(at + 4, end);
    if (isNeeded(marker, content)) {
      const segment = bytes.subarray(at, isLast ? at + 2 : end);
      kept.set(segment, size);
      size += segment.length;
    } else if (marker === description) orientation = orientationIn(content) ?? orientation;
  }
  const exif = orientation === 1 ? [] : [exifWith(orientation)];
  return hasPicture ? [bytes.subarray(0, 2), ...exif, kept.subarray(0, size)] : undefined;
}

/** Where the next marker with a segment is, or the end of the picture; the end of the file when there is none. */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    // Data of a scan, its restart markers, and what may fill the space before a marker.
    const isAlone = next <= 0x01 || (next >= 0xd0 && next <= 0xd8) || next === 0xff;
    if (!isAlone) return at;
  }
  return bytes.length;
}

const isNeeded = (marker: number, content: Uint8Array): boolean =>
  marker < 0xe0 ||
  (marker > 0xef && marker !== comment) ||
  needed.some(([one, name]) => one === marker && begins(content, name));

const begins = (content: Uint8Array, name: string): boolean =>
  String.fromCharCode(...content.subarray(0, name.length)) === name;

const exifName = 'Exif\0\0';

/** The orientation (1 to 8) in an Exif segment. */
function orientationIn(segment: Uint8Array): number | undefined {
  if (!begins(segment, exifName)) return undefined;
  const tiff = segment.subarray(exifName.length);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (tiff.length < 8) return undefined;
  const isLittle = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > tiff.length) return undefined;
  const count = view.getUint16(directory, isLittle);
  for (let entry = directory + 2; entry < directory + 2 + count * 12 && entry + 12 <= tiff.length; entry += 12) {
    if (view.getUint16(entry, isLittle) !== orientationTag) continue;
    const value = view.getUint16(entry + 8, isLittle);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** An Exif segment that has an orientation alone. */
function exifWith(orientation: number): Uint8Array<ArrayBuffer> {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const name = [...exifName].map((letter) => letter.charCodeAt(0));
  return Uint8Array.from([0xff, 0xe1, 0, 2 + name.length + tiff.length, ...name, ...tiff]);
}
