/** How to export a list and select all of it: its name on the server, and the filter of its call. */
export interface Matching {
  source: string
  filter: Record<string, unknown>
  /** True if the server can select all matches without their rows (`selects` in the nouns table). */
  selects: boolean
}
