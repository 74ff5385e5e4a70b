import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { ORGANIZATION, organizationOf } from '../domain/organization.ts'
import { ASSETS, isApi, isFile, isPartnerPage, methodsAt, OWN } from './addresses.ts'

const WEB = resolve(import.meta.dirname, '../../dist/web')

/** The methods that a call's address takes, for an OPTIONS request; null for any other. */
export function optionsOf({ method, url }: FastifyRequest): string | null {
  const methods = method === 'OPTIONS' && isApi(url) ? methodsAt(url) : []
  return methods.length ? methods.join(', ') : null
}

/** Throws for an address that belongs neither to a call nor to the workspace, before a body is read. */
export function refuseUnknown(request: FastifyRequest): void {
  const methods = isApi(request.url) ? methodsAt(request.url) : []
  if (methods.length) {
    const allow = methods.join(', ')
    throw new HttpError(405, 'method', `This address takes ${allow}, not ${request.method}.`, { allow })
  }
  if (isApi(request.url))
    throw new HttpError(404, 'unknown_call', `There is no call ${request.method} ${request.url.split('?')[0]}.`)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new HttpError(405, 'method', 'This address only accepts GET.', { allow: 'GET, HEAD' })
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]!)

/** The partners' page with the product's name, support address and display zone, so that it needs no call for them. */
async function partnerPage(services: Services, html: string): Promise<string> {
  const { product, support_mail } = await organizationOf(services.database.db).catch(() => ORGANIZATION)
  const facts = { product, support: support_mail, zone: services.settings.timeZone }
  return Object.entries(facts).reduce(
    (page, [name, value]) =>
      page.replace(`name="fieldwork-${name}" content=""`, () => `name="fieldwork-${name}" content="${escaped(value)}"`),
    html,
  )
}

/** The screens' addresses, which the build writes (scripts/screen-paths.ts). */
function screensIn(folder: string): (path: string) => boolean {
  const file = resolve(folder, '.vite/screens.json')
  const patterns = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as string[]).map((source) => new RegExp(source))
    : []
  const isScreen = (path: string) => patterns.some((pattern) => pattern.test(path))
  return (path) => isScreen(path) || isScreen(`/dashboard${path}`)
}

/**
 * Serves the built workspace: its files, and its page for every screen.
 * A browser that loads an unknown page gets it as well, and ends at all projects; a program gets a 404.
 */
export async function mountWorkspace(app: FastifyInstance, services: Services, web = WEB): Promise<void> {
  const built = existsSync(resolve(web, 'index.html'))
  const isScreen = screensIn(web)
  if (built) {
    await app.register(fastifyStatic, {
      root: web,
      preCompressed: true,
      // A route for each file: with a wildcard, every request reads whole folders to check the path's spelling.
      wildcard: false,
      globIgnore: ['**/*.br', '**/*.gz'],
      setHeaders: (reply, path) =>
        reply.header('cache-control', path.includes(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache'),
    })
  } else {
    services.log.warn('The workspace is not built: run npm start, which builds it.')
  }
  app.get(OWN.guide, async (_request, reply) => {
    if (!built) throw new HttpError(404, 'not_found', 'The page is not built; /openapi.json has the same.')
    return reply.header('cache-control', 'no-cache').sendFile('api-docs.html')
  })
  const partners = built ? readFileSync(resolve(web, 'partner.html'), 'utf8') : ''
  app.setNotFoundHandler(async (request, reply) => {
    refuseUnknown(request)
    // A missing script or picture gets a 404, because the workspace's page in its place would only confuse.
    if (isFile(request.url) || request.url.startsWith(ASSETS) || request.url.startsWith('//'))
      throw new HttpError(404, 'not_found', 'This file doesn’t exist.')
    if (!built) throw new HttpError(404, 'not_found', 'The workspace is not built.')
    const loads = /\btext\/html\b/i.test(request.headers.accept ?? '')
    if (!loads && !isScreen(request.url.split('?', 1)[0]!)) throw new HttpError(404, 'not_found', 'There is no such page.')
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8')
    return isPartnerPage(request.url) ? reply.send(await partnerPage(services, partners)) : reply.sendFile('index.html')
  })
}
