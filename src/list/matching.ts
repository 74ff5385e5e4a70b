import type { Input } from '../../contract/calls.ts'

/** What a list can be exported and marked by: its name on the server, and the filter that its own read has. */
export interface Matching {
  source: string
  filter: Record<string, unknown>
}
type List = Input<'list.marks'>['list']
const MARKABLE: readonly string[] = ['projects', 'campaigns', 'clients', 'users', 'entries'] satisfies readonly List[]

/** True for a list whose matches the server can name without their rows. */
export const canAskMarks = (matching: Matching | null | undefined): matching is Matching =>
  matching !== null && matching !== undefined && MARKABLE.includes(matching.source)
