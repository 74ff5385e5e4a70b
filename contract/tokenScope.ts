import { ruleOf } from './access.ts'
import type { Call } from './call.ts'
import type { CallId } from './calls.ts'
import { nounOf } from './nounOf.ts'

/*
 * What a token's scopes open.
 * A scope is `noun:read`, `noun:write` (which reads too), or `noun.verb` for one call; the noun `*` is every noun.
 * Which scope opens a call is derived from its id and method, so that every call has one and none is listed.
 */

/** Who of the tokens opens a noun's calls, by the nouns table. */
const tokensOf = (noun: string) => nounOf(noun)?.tokens

/** True if a call changes nothing that is kept. */
export const onlyReads = (row: Pick<Call, 'method' | 'unsafe' | 'keepsNothing'>): boolean =>
  (row.method === 'GET' && !row.unsafe) || row.keepsNothing === true

/** Why no token opens a call, whatever its scopes; null if one can. */
export function refusedToTokens(id: CallId, row: Call): string | null {
  if (ruleOf(id).token) return null
  const isPersons = tokensOf(id.split('.')[0]!) === 'persons' || ruleOf(id).own
  if (isPersons) return 'This is for the person alone, not for a token.'
  return row.secret ? 'What is shown once is shown to a person, not to a token.' : null
}

/** The scopes of which one opens a call, narrowest first; the noun its records are filed under opens it too. */
export function scopesOf(id: CallId, row: Call): readonly string[] {
  const noun = id.split('.')[0]!
  const filed = nounOf(noun)?.of ?? noun
  const verbs = onlyReads(row) ? ['read', 'write'] : ['write']
  const own =
    tokensOf(noun) === 'whole' ? [] : [id, ...[...new Set([noun, filed])].flatMap((one) => verbs.map((verb) => `${one}:${verb}`))]
  return [...own, ...verbs.map((verb) => `*:${verb}`)]
}

/** The scope to ask for when a call is refused. */
export const scopeNeeded = (id: CallId, row: Call): string => {
  const noun = id.split('.')[0]!
  return `${tokensOf(noun) === 'whole' ? '*' : (nounOf(noun)?.of ?? noun)}:${onlyReads(row) ? 'read' : 'write'}`
}

/** True if a token limited to clients or projects opens a call: what client users may do, of projects' nouns. */
export const opensLimited = (id: CallId): boolean => ruleOf(id).who === 'client' && tokensOf(id.split('.')[0]!) === 'within'

/** The nouns that a scope can name. */
export const scopeNouns = (ids: readonly CallId[]): readonly string[] =>
  [...new Set(ids.map((id) => id.split('.')[0]!))].filter((noun) => !['persons', 'whole'].includes(tokensOf(noun) ?? '')).sort()
