/** One change, as the live stream reports it. */
export interface LiveEvent {
  id: number
  noun: string
  subject_id: number
  project_id: number | null
  kind: string
  /** Done in this very session, by this page or another of its browser's tabs. */
  own: boolean
}
