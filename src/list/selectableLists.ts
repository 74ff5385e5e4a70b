/** What a list can be exported and selected by: its name on the server, and the filter that its own read has. */
export interface Matching {
  source: string
  filter: Record<string, unknown>
  /** The server can name all that match without their rows (contract/lists.ts). */
  selects: boolean
}
