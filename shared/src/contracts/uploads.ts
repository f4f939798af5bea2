/** The paths of the API that take files. A body there may be large, and take minutes. */
export const uploadPaths = ['/v1/import', '/v1/attachments'] as const;
