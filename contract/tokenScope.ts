import { ruleOf } from './access.ts'
import type { Call } from './call.ts'
import { type CallId, calls } from './calls.ts'
import { referencesOf } from './limitedAccess.ts'
import { nounOf } from './nounOf.ts'
import { isRight, RIGHTS, type Right, rightTo } from './rights.ts'

/*
 * Scopes of tokens.
 * A scope is `noun:read`, `noun:write` (which includes reading), or `noun.verb` for one call; `*` is every noun.
 * A call's scopes are derived from its id and method, so none has to be listed.
 * What changes who may do what has scopes of its own instead, which none of these includes (contract/rights.ts).
 */

/** Returns which tokens open a noun's calls (nouns table). */
const tokensOf = (noun: string) => nounOf(noun)?.tokens

/** True if a call stores and sends nothing. */
export const onlyReads = (row: Pick<Call, 'method' | 'unsafe' | 'keepsNothing' | 'sends'>): boolean =>
  ((row.method === 'GET' && !row.unsafe) || row.keepsNothing === true) && !row.sends

/** True for a call of a right that opens what is a person's otherwise, such as webhooks. */
const opensPersons = (id: CallId): boolean => {
  const right = rightTo(id)
  const { persons }: Right = right ? RIGHTS[right] : { label: '', about: '', calls: {} }
  return persons === true
}

/** Returns why no token opens a call, whatever its scopes; null if one can. */
export function refusedToTokens(id: CallId, row: Call): string | null {
  if (ruleOf(id).token || opensPersons(id)) return null
  const isPersons = tokensOf(id.split('.')[0]!) === 'persons' || ruleOf(id).own
  if (isPersons) return 'This is for the person alone, not for a token.'
  return row.secret ? 'What is shown once is shown to a person, not to a token.' : null
}

/** Returns the scopes that open a call, narrowest first, including those of the noun its records are filed under. */
export function scopesOf(id: CallId, row: Call): readonly string[] {
  const right = rightTo(id)
  if (right) return [right, id]
  const noun = id.split('.')[0]!
  const filed = nounOf(noun)?.of ?? noun
  const verbs = onlyReads(row) ? ['read', 'write'] : ['write']
  const own =
    tokensOf(noun) === 'whole' ? [] : [id, ...[...new Set([noun, filed])].flatMap((one) => verbs.map((verb) => `${one}:${verb}`))]
  return [...own, ...verbs.map((verb) => `*:${verb}`)]
}

/** True if a scope opens a call that changes something. */
export const changesAnything = (scope: string): boolean => {
  const row = Object.hasOwn(calls, scope) ? (calls[scope as CallId] as Call) : null
  return row ? !onlyReads(row) : scope.endsWith(':write') || isRight(scope)
}

/** Returns the scope to ask for when a call is refused. */
export const scopeNeeded = (id: CallId, row: Call): string => {
  const noun = id.split('.')[0]!
  const right = rightTo(id)
  if (right) return right
  return `${tokensOf(noun) === 'whole' ? '*' : (nounOf(noun)?.of ?? noun)}:${onlyReads(row) ? 'read' : 'write'}`
}

/**
 * True if a token limited to some records may call it: client users may, and its noun belongs to projects.
 * An administrator's also opens calls whose records can be checked (contract/limitedAccess.ts).
 */
export const opensLimited = (id: CallId, isAdmins: boolean): boolean =>
  (ruleOf(id).who === 'client' && tokensOf(id.split('.')[0]!) === 'within') || (isAdmins && referencesOf(id) !== null)

/** Returns the nouns that a scope can name. */
export const scopeNouns = (ids: readonly CallId[]): readonly string[] =>
  [...new Set(ids.map((id) => id.split('.')[0]!))].filter((noun) => !['persons', 'whole'].includes(tokensOf(noun) ?? '')).sort()
