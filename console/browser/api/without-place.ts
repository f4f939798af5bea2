/** Segments of a JPEG that describe the picture: Exif and XMP, with place and camera; Photoshop's. */
const describing = new Set([0xe1, 0xed]);
const startOfScan = 0xda;
const orientationTag = 0x0112;

/** A photo without the place and the camera of which it tells; its orientation stays. Other files are as they were. */
export async function withoutPlace(file: File): Promise<File> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const stripped = stripJpeg(bytes);
  return stripped ? new File(stripped, file.name, { type: file.type }) : file;
}

/** The parts of a JPEG without the segments that describe it; undefined for what is none, or is broken. */
export function stripJpeg(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array<ArrayBuffer>[] = [];
  let orientation = 1;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === startOfScan) {
      const exif = orientation === 1 ? [] : [exifWith(orientation)];
      return [bytes.subarray(0, 2), ...exif, ...kept, bytes.subarray(at)];
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (!describing.has(marker)) kept.push(bytes.subarray(at, end));
    else if (marker === 0xe1) orientation = orientationIn(bytes.subarray(at + 4, end)) ?? orientation;
    at = end;
  }
  return undefined;
}

const exifName = 'Exif\0\0';

/** The orientation (1 to 8) in an Exif segment. */
function orientationIn(segment: Uint8Array): number | undefined {
  if (String.fromCharCode(...segment.subarray(0, exifName.length)) !== exifName) return undefined;
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
