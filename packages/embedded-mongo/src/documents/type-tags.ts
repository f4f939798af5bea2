/** One byte per canonical BSON type, in BSON's comparison order. */
export const typeTags = {
  minKey: '\x0a',
  undefined: '\x0f',
  null: '\x14',
  number: '\x1e',
  string: '\x3c',
  object: '\x46',
  array: '\x50',
  binary: '\x5a',
  objectId: '\x64',
  boolean: '\x6e',
  date: '\x78',
  timestamp: '\x82',
  regex: '\x8c',
  code: '\xa0',
  maxKey: '\xf0',
} as const;

export type TypeTag = (typeof typeTags)[keyof typeof typeTags];

const bsonTypeTags: Readonly<Record<string, TypeTag>> = {
  MinKey: typeTags.minKey,
  Int32: typeTags.number,
  Double: typeTags.number,
  Long: typeTags.number,
  Decimal128: typeTags.number,
  BSONSymbol: typeTags.string,
  DBRef: typeTags.object,
  Binary: typeTags.binary,
  UUID: typeTags.binary,
  ObjectId: typeTags.objectId,
  Timestamp: typeTags.timestamp,
  BSONRegExp: typeTags.regex,
  Code: typeTags.code,
  MaxKey: typeTags.maxKey,
};

/** The canonical type of a value. `undefined`, the value of a missing field, counts as null. */
export function tagOf(value: unknown): TypeTag {
  switch (typeof value) {
    case 'string':
      return typeTags.string;
    case 'number':
    case 'bigint':
      return typeTags.number;
    case 'boolean':
      return typeTags.boolean;
    case 'object':
      return value === null ? typeTags.null : objectTag(value);
    default:
      return typeTags.null;
  }
}

function objectTag(value: object): TypeTag {
  const { _bsontype: bsonType } = value as { _bsontype?: unknown };
  if (typeof bsonType === 'string') return bsonTypeTags[bsonType] ?? typeTags.object;
  if (value instanceof Date) return typeTags.date;
  if (Array.isArray(value)) return typeTags.array;
  if (value instanceof RegExp) return typeTags.regex;
  if (value instanceof Uint8Array) return typeTags.binary;
  return typeTags.object;
}
