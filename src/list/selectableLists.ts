/** How a list is exported and selected: its server name, and the filter of its own call. */
export interface Matching {
  source: string
  filter: Record<string, unknown>
  /** The server can name all matches without their rows (`selects` in the nouns table). */
  selects: boolean
}
