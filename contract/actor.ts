import type { Role } from './vocabulary.ts'

/** Who may do something or open a screen: everyone, a partner with a signed link, signed-in users, administrators. */
export type Access = 'public' | 'partner' | 'client' | 'admin'

/** The signed-in user. */
export interface Actor {
  id: number
  role: Role
  /** The admin acting as this client user, or null. */
  admin_id: number | null
  /** The limits of the token that authenticates the request, if any. */
  only?: Only
}
/** The clients and projects a token is limited to; `all` if its owner sees every record. */
export interface Only {
  clients: readonly number[]
  projects: readonly number[]
  all: boolean
}
type Asking = Pick<Actor, 'role' | 'only'>

/** Null, or the reason as a sentence without capital and period. */
export type Denial = string | null

/** The reason shown to users who aren't administrators. */
export const ADMIN_ONLY = 'only an administrator can do this'

/** True for administrators, also by a token limited to some records. */
export const isAdmin = ({ role }: Pick<Actor, 'role'>): boolean => role === 'admin'

/** True for administrators without a limit, who see every record; others see only their scope (decisions.md 6). */
export const seesAll = ({ role, only }: Asking): boolean => isAdmin({ role }) && !only

/** True if a signed-in user has this access. */
export const letsIn = (who: Access, actor: Asking): boolean => who === 'public' || who === 'client' || isAdmin(actor)

/** Returns why a signed-in user lacks this access, or null. */
export const refusedAt = (who: Access, actor: Asking): Denial => (letsIn(who, actor) ? null : ADMIN_ONLY)

interface Entry {
  who: Access
  says?: string
}
/** Looks up an access table: returns why a user can't do something, or null. Missing entries are open to all. */
export const asking =
  (entryOf: (id: string) => Entry | undefined) =>
  (id: string, actor: Asking): Denial => {
    const entry = entryOf(id)
    return !entry || letsIn(entry.who, actor) ? null : (entry.says ?? ADMIN_ONLY)
  }
