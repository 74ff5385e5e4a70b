import { type ActionId, refusedTo, ruleOf } from '../../contract/access.ts'
import type { Caller } from './context.ts'
import { assertAllowed, forbidden, HttpError, refuseActing, unauthorized } from './errors.ts'

/**
 * Throws unless the access table admits the caller: 401 for anonymous callers, 403 for the wrong role.
 * `withKey`: the request carries an API key, valid or not.
 */
export function admit(id: ActionId, caller: Caller, withKey: boolean): void {
  const { who, own, whileLocked, key } = ruleOf(id)
  if (who === 'public') return
  if (who === 'partner' && caller.partner) return
  if (caller.apiKey && (key === true || (key === 'reads' && caller.apiKey.reads))) return
  if (caller.apiKey && key) throw forbidden('This API key may not read.')
  if (caller.apiKey) throw unauthorized('This call doesn’t take an API key. Please sign in.')
  if (withKey) throw unauthorized('This API key is unknown, revoked or expired.')
  if (!caller.actor) throw unauthorized()
  assertAllowed(refusedTo(id, caller.actor))
  if (own) refuseActing(caller.actor)
  // An admin acting as the user can't change the user's password.
  if (caller.user?.must_change_password && !caller.actor.admin_id && !whileLocked) {
    throw new HttpError(403, 'change_password', 'Please set a new password first: the temporary one has to be changed.')
  }
}
