import type { Role } from './vocabulary.ts'

/** Who may do something, or open a screen, at all: anybody, a partner by their signed link, whoever is signed in, administrators. */
export type Access = 'public' | 'partner' | 'client' | 'admin'

/** Who asks. */
export interface Actor {
  id: number
  role: Role
  /** The admin behind a client user (act as), or null. */
  admin_id: number | null
}
type Asking = Pick<Actor, 'role'>

/** Null, or the sentence that says why not, without its capital and its point. */
export type Verdict = string | null

/** What somebody who is no administrator is told, by the server and by what is greyed out. */
export const ADMIN_ONLY = 'only an administrator can do this'

/** True for administrators, who see every record; a client user sees those of their scope (decisions.md 6). */
export const seesAll = ({ role }: Asking): boolean => role === 'admin'

/** True where somebody who is signed in is let in. */
export const letsIn = (who: Access, actor: Asking): boolean => who === 'public' || who === 'client' || seesAll(actor)

/** Why somebody who is signed in is not let in, or null. */
export const refusedAt = (who: Access, actor: Asking): Verdict => (letsIn(who, actor) ? null : ADMIN_ONLY)

interface Entry {
  who: Access
  says?: string
}
/** Asks an access table: why somebody may not do something at all, or null. What it does not name is on the person's own screen alone. */
export const asking =
  (entryOf: (id: string) => Entry | undefined) =>
  (id: string, actor: Asking): Verdict => {
    const entry = entryOf(id)
    return !entry || letsIn(entry.who, actor) ? null : (entry.says ?? ADMIN_ONLY)
  }
