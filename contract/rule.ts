import { type Access, type Actor, ADMIN_ONLY, type Denial, letsIn } from './actor.ts'

/** One action's row in the access table. */
export interface Rule<S = never> {
  who: Access
  /** The denial's text, if it isn't `ADMIN_ONLY`. */
  says?: string
  /** It concerns the caller's own account, so an administrator acting as the user can't do it. */
  own?: true
  /** Allowed before a temporary password has been changed. */
  whileLocked?: true
  /** An importer's API key may call it too (decisions.md 10); `reads`: only a key that may read. */
  key?: true | 'reads'
  /** Every token may call it, whatever its scopes; `own`: for what it made itself, unless it is limited. */
  token?: true | 'own'
  /** Returns why this caller can't do it to this record now, or null. */
  when?: (actor: Actor, subject: S) => Denial
}

/** The facts that a rule reads. */
export type SubjectOf<R> = R extends { when?: (actor: Actor, subject: infer S) => Denial } ? S : never

export const anyone = { who: 'public' } as const satisfies Rule
export const signedIn = { who: 'client' } as const satisfies Rule
export const admin = { who: 'admin' } as const satisfies Rule
/** A partner with a signed link, or an administrator instead of the partner. */
export const byLink = { who: 'partner' } as const satisfies Rule

/** Allows every signed-in user, if the record permits. */
export const may = <S>(when: (actor: Actor, subject: S) => Denial) => ({ ...signedIn, when }) satisfies Rule<S>
/** Allows administrators, if the record permits. */
export const adminMay = <S>(when: (actor: Actor, subject: S) => Denial) => ({ ...admin, when }) satisfies Rule<S>

/** Returns why a rule refuses one record, or null. The caller's role is checked before. */
export const denialBy = <S>(rule: Rule<S>, actor: Actor, subject: S): Denial =>
  letsIn(rule.who, actor) ? (rule.when?.(actor, subject) ?? null) : (rule.says ?? ADMIN_ONLY)
