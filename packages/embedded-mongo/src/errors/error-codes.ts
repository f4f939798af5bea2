/** The error codes of MongoDB that this server uses, by code name. */
export const errorCodes = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CommandNotSupported: 115,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  QueryFeatureNotAllowed: 224,
  OperationNotSupportedInTransaction: 263,
  UnsupportedOpQueryCommand: 352,
  DuplicateKey: 11000,
  BSONObjectTooLarge: 10334,
  InterruptedAtShutdown: 11600,
  CursorInUse: 12051,
  OutOfDiskSpace: 14031,
} as const;

/** A code name. The many codes without one are called `Location` and the number, as in MongoDB. */
export type ErrorName = keyof typeof errorCodes | `Location${number}`;

export const codeOf = (name: ErrorName): number =>
  name.startsWith('Location') ? Number(name.slice('Location'.length)) : errorCodes[name as keyof typeof errorCodes];
