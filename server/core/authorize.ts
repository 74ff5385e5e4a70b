import { type ActionId, refusedTo, ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { opensLimited, refusedToTokens, scopeNeeded, scopesOf } from '../../contract/tokenScope.ts'
import { ANONYMOUS } from './caller.ts'
import type { Caller, CallerToken } from './context.ts'
import { assertAllowed, forbidden, HttpError, missingScope, refuseActing, unauthorized } from './errors.ts'

/**
 * Throws unless the access table admits the caller: 401 for anonymous callers, 403 for the wrong role.
 * `sent`: the request carries an API key or a token, valid or not.
 * Returns the caller as the handler sees it.
 */
export function authorize(id: ActionId & CallId, authenticated: Caller, sent: 'key' | 'token' | null): Caller {
  const { who, own, whileLocked, key } = ruleOf(id)
  // Public calls ignore the token, as they serve everyone alike.
  if (who === 'public') return authenticated.token ? ANONYMOUS : authenticated
  const caller = authenticated.token ? opened(id, authenticated, authenticated.token) : authenticated
  if (who === 'partner' && caller.partner) return caller
  if (caller.apiKey && (key === true || (key === 'reads' && caller.apiKey.reads))) return caller
  if (caller.apiKey && key) throw forbidden('This API key can’t read.')
  if (caller.apiKey) throw unauthorized('This call doesn’t take an API key. Please sign in.')
  if (!caller.actor && sent) throw unauthorized(`This ${sent === 'key' ? 'API key' : 'token'} is unknown, revoked or expired.`)
  if (!caller.actor) throw unauthorized()
  assertAllowed(refusedTo(id, caller.actor))
  if (own) refuseActing(caller.actor)
  // An admin acting as the user can't change the user's password.
  if (caller.user?.must_change_password && !caller.actor.admin_id && !whileLocked) {
    throw new HttpError(403, 'change_password', 'Set a new password first. The temporary one must be changed.')
  }
  return caller
}

/** Throws 403 unless a token's scopes and limit cover a call; a limited one sends results as an API key does. */
function opened(id: CallId, caller: Caller, token: CallerToken): Caller {
  const row: Call = calls[id]
  const refused = refusedToTokens(id, row)
  if (refused) throw forbidden(refused)
  const { key, token: always } = ruleOf(id)
  if (!always && !scopesOf(id, row).some((scope) => token.scopes.includes(scope))) {
    throw missingScope(token.name, scopeNeeded(id, row))
  }
  if (!token.limit || always === true) return caller
  if (key && caller.actor?.only?.all)
    return {
      ...ANONYMOUS,
      token,
      apiKey: { id: token.id, name: token.name, created_by: caller.actor.id, scope: token.limit, reads: true },
    }
  if (!opensLimited(id, caller.actor?.only?.all === true))
    throw new HttpError(403, 'limited', `The token “${token.name}” is limited to some records and can’t make this call.`)
  return caller
}
