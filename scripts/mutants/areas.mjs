/** Where a mistake costs most: by area, the files in which mistakes are made. */
export const areas = {
  'limits and cost': /^(shared\/src\/pricing|gateway\/src\/callers)\//,
  grants: /^services\/auth\/src\/(oauth|tokens|sign-in|factors)\//,
  'fan-out': /^services\/webhooks\/src\/(deliveries|webhooks|health)\//,
  retries: /^services\/webhook-delivery\/src\/(attempts|hosts|deliveries|redeliveries)\//,
  tenancy: /^services\/[^/]+\/src\/.*\.(repository|service|resolvers|routes)\.ts$/,
  visibility:
    /\/(record-access|record-query|record-selection|record-reader|record-lookups|sees-account|visible-\w+)\.ts$/,
};

/** How many mistakes are drawn in an area. */
export const drawn = 25;
