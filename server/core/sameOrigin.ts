import type { FastifyRequest } from 'fastify'
import type { Call } from '../../contract/call.ts'
import type { Caller, Services } from './context.ts'
import { forbidden, unauthorized } from './errors.ts'

/** A cookie travels by itself, so a write by cookie must come from our own pages; a GET that writes takes headers only (decisions.md 7). */
export function assertSameOrigin(services: Services, row: Call, request: FastifyRequest, caller: Caller): void {
  if (caller.session?.by !== 'cookie') return
  if (row.unsafe) throw unauthorized('This address changes something, so it takes the token headers, not a cookie.')
  refuseOtherSite(services, request)
}

/**
 * Throws 403 for a request that another site's page makes, or that nothing shows to be ours. Browsers send the page's
 * origin with every write, and its relation to this server; the workspace adds a header no other site can send without
 * a preflight.
 */
export function refuseOtherSite(services: Services, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site, 'x-fieldwork': mark } = request.headers
  const foreign = (origin !== undefined && !isOwn(services, request, origin)) || (site !== undefined && site !== 'same-origin')
  if (foreign) throw forbidden('This request comes from another site.')
  if (origin === undefined && site === undefined && mark === undefined)
    throw forbidden('A write by cookie must come from a page of this server; programs send the token headers.')
}

/** Scheme, host and port are ours: those of PUBLIC_URL where it is set, whatever Host says; else those that were asked. */
function isOwn({ settings }: Services, request: FastifyRequest, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const asked = `${request.protocol}://${request.headers.host}`
  const own = settings.publicUrlSet || !URL.canParse(asked) ? settings.publicUrl : asked
  return new URL(origin).origin === new URL(own).origin
}
