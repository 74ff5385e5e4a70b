import { type Access, type Actor, ADMIN_ONLY, letsIn, type Verdict } from './who.ts'

/** What the access table says of one action. */
export interface Rule<S = never> {
  who: Access
  /** What who is not let in is told, where that is not `ADMIN_ONLY`. */
  says?: string
  /** The caller's own account: an administrator who acts as somebody can't do it in their name. */
  own?: true
  /** Open while a temporary password still has to be changed. */
  whileLocked?: true
  /** An importer's API key opens it too (decisions.md 10); `reads`: one that may read. */
  key?: true | 'reads'
  /** What the record says of it: why it can't be done to this one now, by this caller, or null. */
  when?: (actor: Actor, subject: S) => Verdict
}

/** What a rule decides on. */
export type SubjectOf<R> = R extends { when?: (actor: Actor, subject: infer S) => Verdict } ? S : never

export const anyone = { who: 'public' } as const satisfies Rule
export const signedIn = { who: 'client' } as const satisfies Rule
export const admin = { who: 'admin' } as const satisfies Rule

/** Whoever is signed in may, where the record allows it. */
export const may = <S>(when: (actor: Actor, subject: S) => Verdict) => ({ ...signedIn, when }) satisfies Rule<S>
/** Administrators may, where the record allows it. */
export const adminMay = <S>(when: (actor: Actor, subject: S) => Verdict) => ({ ...admin, when }) satisfies Rule<S>

/** A rule's verdict on one record: who asks comes first. */
export const verdictBy = <S>(rule: Rule<S>, actor: Actor, subject: S): Verdict =>
  letsIn(rule.who, actor) ? (rule.when?.(actor, subject) ?? null) : (rule.says ?? ADMIN_ONLY)
