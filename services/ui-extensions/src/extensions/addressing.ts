/** What the addresses and ids of records are made with. */
export interface Addressing {
  /** Public origin of the API: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Begins every node id: `itsm.example.com`. */
  readonly nodeIdDomain: string;
}
