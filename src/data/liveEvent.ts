/** A change, as the live stream reports it. */
export interface LiveEvent {
  id: number
  noun: string
  subject_id: number
  project_id: number | null
  kind: string
  /** True if it was made in this session, by this page or another tab of its browser. */
  own: boolean
}
