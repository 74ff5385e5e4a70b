import { type Access, type Actor, ADMIN_ONLY, type Denial, letsIn } from './actor.ts'

/** One action's row in the access table. */
export interface Rule<S = never> {
  who: Access
  /** The reason a refused caller gets, if not `ADMIN_ONLY`. */
  says?: string
  /** It concerns the caller's own account: an administrator acting as a user can't do it. */
  own?: true
  /** Open while a temporary password has yet to be changed. */
  whileLocked?: true
  /** An importer's API key opens it too (decisions.md 10); `reads`: only a key that may read. */
  key?: true | 'reads'
  /** Every token opens it, whatever its scopes. */
  token?: true
  /** Returns why this caller can't do it to this record now, or null. */
  when?: (actor: Actor, subject: S) => Denial
}

/** The facts a rule decides on. */
export type SubjectOf<R> = R extends { when?: (actor: Actor, subject: infer S) => Denial } ? S : never

export const anyone = { who: 'public' } as const satisfies Rule
export const signedIn = { who: 'client' } as const satisfies Rule
export const admin = { who: 'admin' } as const satisfies Rule
/** A partner with their signed link, or an administrator in their place. */
export const byLink = { who: 'partner' } as const satisfies Rule

/** Every signed-in user may, if the record allows it. */
export const may = <S>(when: (actor: Actor, subject: S) => Denial) => ({ ...signedIn, when }) satisfies Rule<S>
/** Administrators may, if the record allows it. */
export const adminMay = <S>(when: (actor: Actor, subject: S) => Denial) => ({ ...admin, when }) satisfies Rule<S>

/** Why a rule refuses one record, or null; the caller's role is checked first. */
export const denialBy = <S>(rule: Rule<S>, actor: Actor, subject: S): Denial =>
  letsIn(rule.who, actor) ? (rule.when?.(actor, subject) ?? null) : (rule.says ?? ADMIN_ONLY)
