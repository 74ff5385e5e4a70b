import { counted } from './format.ts'

/** How many records a credential is limited to, by noun. */
type Limits = Readonly<Partial<Record<'client' | 'project' | 'survey' | 'service', number>>>

/** What a credential reaches and until when: "everything, for ever", "2 clients and 1 project, until 2026-12-31". */
export function reachText(limits: Limits, whole: string, last: string | null): string {
  const parts = Object.entries(limits).flatMap(([noun, many]) => (many ? counted(many, noun) : []))
  return `${parts.length ? parts.join(' and ') : whole}, ${last ? `until ${last}` : 'for ever'}`
}
