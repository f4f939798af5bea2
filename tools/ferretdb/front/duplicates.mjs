/** FerretDB 1.24 names no index when an insert is refused, and calls a refused update an internal error. */
const refusedUpdate = /UNIQUE constraint failed: index '.*?_[0-9a-f]{8}_(.*)'/;
const duplicateKey = 11_000;

export function createDuplicates() {
  const unique = new Map();
  const namespace = (command, collection) => `${command.$db}.${collection}`;
  const message = (command, collection, index) =>
    `E11000 duplicate key error collection: ${namespace(command, collection)} index: ${index} dup key`;
  return {
    /** Remembers what is unique, in order to name it. */
    remember(command) {
      const key = namespace(command, command.createIndexes);
      const names = command.indexes.filter(({ unique: isUnique }) => isUnique).map(({ name }) => name);
      unique.set(key, [...(unique.get(key) ?? []), ...names]);
    },
    /** Names the index in the errors of an insert: `_id_` when there is a document of this id. */
    async nameIndex(command, answer, find) {
      if (!answer.writeErrors) return answer;
      const name = async (error) => {
        if (Number(error.code) !== duplicateKey) return error;
        const { _id } = command.documents[Number(error.index)] ?? {};
        const [other] = unique.get(namespace(command, command.insert)) ?? [];
        const isId = other === undefined || (await find({ find: command.insert, filter: { _id } })).length > 0;
        return { ...error, errmsg: message(command, command.insert, isId ? '_id_' : other) };
      };
      return { ...answer, writeErrors: await Promise.all(answer.writeErrors.map(name)) };
    },
    /** Makes a refused change what a server says of it. */
    ofChange(command, collection, answer) {
      const [, index] = refusedUpdate.exec(answer.errmsg ?? '') ?? [];
      if (index === undefined) return answer;
      const errmsg = message(command, collection, index);
      if (!command.update || typeof command.update !== 'string')
        return { ok: 0, code: duplicateKey, codeName: 'DuplicateKey', errmsg };
      return { ok: 1, n: 0, nModified: 0, writeErrors: [{ index: 0, code: duplicateKey, errmsg }] };
    },
  };
}
