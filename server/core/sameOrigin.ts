import type { FastifyRequest } from 'fastify'
import type { Call } from '../../contract/call.ts'
import type { Caller, Services } from './context.ts'
import { forbidden, unauthorized } from './errors.ts'

/** A write by cookie must come from our own pages; a GET that writes takes only headers (decisions.md 7). */
export function assertSameOrigin(services: Services, row: Call, request: FastifyRequest, caller: Caller): void {
  if (caller.session?.by !== 'cookie') return
  if (row.unsafe) throw unauthorized('This address changes data, so it needs the token headers, not a cookie.')
  refuseOtherSite(services, request)
}

/**
 * Throws 403 for a request from another site's page, or one that nothing shows to be ours.
 * Browsers send the origin with every write; the workspace adds a header other sites can't send without a preflight.
 */
export function refuseOtherSite(services: Services, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site, 'x-fieldwork': mark } = request.headers
  const foreign = (origin !== undefined && !isOwn(services, request, origin)) || (site !== undefined && site !== 'same-origin')
  if (foreign) throw forbidden('This request comes from another site.')
  if (origin === undefined && site === undefined && mark === undefined)
    throw forbidden('A write by cookie must come from a page of this server; programs send the token headers.')
}

/** Compares scheme, host and port with PUBLIC_URL if set, whatever Host says; otherwise with the requested address. */
function isOwn({ settings }: Services, request: FastifyRequest, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const requested = `${request.protocol}://${request.headers.host}`
  const own = settings.publicUrlSet || !URL.canParse(requested) ? settings.publicUrl : requested
  return new URL(origin).origin === new URL(own).origin
}
