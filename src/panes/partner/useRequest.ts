import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApiError } from '../../data/api.ts'
import { callAsPartner } from '../../data/partnerCalls.ts'
import type { PartnerSession } from '../../data/partnerSession.ts'
import type { PartnerRequest } from './answerForm.ts'
import { readWhileOpen } from './readWhileOpen.ts'

export interface Request {
  data: PartnerRequest | null
  /** Why nothing loaded, or why the displayed request has ended. */
  error: ApiError | null
  /** The link to a newer request, if the server returned one. */
  newer: string | null
  reload(): Promise<void>
}

/** Loads a visit's request and polls it; null loads nothing. Data stays when a later read fails. */
export function useRequest(visit: PartnerSession | null): Request {
  const [read, setRead] = useState<Omit<Request, 'reload'>>({ data: null, error: null, newer: null })
  const latest = useRef(0)
  const { id, partner_id, token } = visit ?? {}
  const reload = useCallback(async () => {
    if (!id || !partner_id) return
    const mine = ++latest.current
    try {
      // Both IDs are sent, so a link can't open another partner's address.
      const input = { id: Number(id), partner_id: Number(partner_id) }
      const { body, newer } = await callAsPartner('invitation.get', input, { token: token ?? null })
      if (mine === latest.current) setRead({ data: body.data, error: null, newer })
    } catch (failure) {
      const error = failure as ApiError
      // An open page survives a lost connection; only a refusal ends it.
      if (mine === latest.current) setRead((old) => (old.data && !isRefusal(error) ? old : { ...old, error }))
    }
  }, [id, partner_id, token])
  useEffect(() => {
    const stop = readWhileOpen(reload)
    return () => {
      latest.current++
      stop()
    }
  }, [reload])
  return { ...read, reload }
}

/** True if the server refused access to the request, rather than failing. */
export const isRefusal = (error: ApiError | null): boolean =>
  error !== null && (error.status === 404 || error.status === 401 || error.status === 403)
