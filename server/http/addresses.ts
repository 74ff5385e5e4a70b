import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { PARTNER_PAGES, UNDER_DASHBOARD } from '../../contract/pages.ts'

/** The server's own addresses beside the calls. */
export const OWN = {
  alive: '/livez',
  ready: '/healthz',
  document: '/openapi',
  guide: '/api-docs',
  assistants: '/mcp',
} as const

/** The workspace's built files. */
export const ASSETS = '/assets/'

/** Screens of the workspace are under it too (decisions.md 13), so its second part decides. */
const SHARED = 'v3'

const partsOf = (path: string): string[] => path.split('?', 1)[0]!.split('/').slice(1)
/** The parts that all of these paths begin with. */
const common = (paths: readonly (readonly string[])[]): readonly string[] =>
  paths.reduce((one, other) => {
    const end = one.findIndex((part, at) => part !== other[at])
    return end < 0 ? one : one.slice(0, end)
  })

/** An address of a call: a route, and the call that it leads to. */
interface Address {
  method: string
  path: string
  id: CallId
}
const shapeOf = ({ input }: Call): object => (input as unknown as { shape?: object }).shape ?? {}

/** Every address of every call. The specification puts an id in path, query or body, and one call takes all three. */
export const ADDRESSES: readonly Address[] = (() => {
  const all = (Object.entries(calls) as [CallId, Call][]).map(([id, { method, path }]) => ({
    method: method as string,
    path,
    id,
  }))
  const taken = new Set(all.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`))
  const spelled = all.flatMap(({ method, path, id }) => {
    const withId = `${method} ${path}/{}`
    if (method === 'GET' || method === 'POST' || path.endsWith('}') || !('id' in shapeOf(calls[id])) || taken.has(withId))
      return []
    taken.add(withId)
    return [{ method, path: `${path}/{id}`, id }]
  })
  return [...all, ...spelled]
})()

const rows = ADDRESSES.map(({ method, path }) => ({ method, parts: partsOf(path) }))
const families = Map.groupBy(
  rows.map(({ parts }) => parts),
  ([first, second]) => (first === SHARED ? `${first}/${second}` : first!),
)
/** What the addresses of calls begin with: /v1, /auth, /v3/portal and single ones. */
const roots = [...[...families.values()].map(common), ...Object.values(OWN).map(partsOf)]

/** TABLE  first parts of addresses of programs: other versions of the API, and what other servers have there. */
const PROGRAMS = /^(?:v(?!3$)\d+|auth|healthz?|livez|readyz?|metrics|version|\..*)$/i

/** An address without percent signs; a broken one stays as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * True for addresses of calls and other addresses of programs, which no page load opens.
 * All others are the workspace's, also screens under /v3. Doubled slashes are one.
 */
export function isApi(url: string): boolean {
  const [first, ...more] = partsOf(decoded(url.split('?', 1)[0]!))
  if (!first) return false
  if (PROGRAMS.test(first)) return true
  const parts = [first, ...more.filter(Boolean)]
  parts.push(parts.pop()!.replace('.json', ''))
  return roots.some((root) => root.every((part, at) => parts[at]?.toLowerCase() === part.toLowerCase()))
}

/** True for the address of a file, such as /robots.txt or /x/.git/HEAD: no screen has an extension or a leading dot. */
export const isFile = (url: string): boolean => /\.[a-z0-9]{1,10}$|\/\./i.test(decoded(url.split('?', 1)[0]!))

const READ_ONLY = ['GET', 'HEAD', 'OPTIONS']
/** TABLE  methods of the server's own addresses. */
const OWN_METHODS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries([OWN.alive, OWN.ready, OWN.document, OWN.guide].map((path) => [path, READ_ONLY])),
  [OWN.assistants]: ['POST', 'OPTIONS'],
}

/** The methods that an address takes; none where there is no call. */
export function methodsAt(url: string): readonly string[] {
  const own = OWN_METHODS[url.split('?', 1)[0]!.replace(/\.json$/, '')]
  if (own) return own
  const parts = partsOf(url)
  const taken = rows.filter(
    (row) =>
      row.parts.length === parts.length && row.parts.every((part, at) => (part[0] === '{' ? parts[at] : parts[at] === part)),
  )
  if (!taken.length) return []
  const found = new Set(taken.map(({ method }) => method))
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'].filter((method) => found.has(method === 'HEAD' ? 'GET' : method))
  return [...methods, 'OPTIONS']
}

const [PARTNERS] = partsOf(PARTNER_PAGES.feasibility)
/** True for partners' pages, under /dashboard too. */
export function isPartnerPage(url: string): boolean {
  const parts = partsOf(url)
  return parts[UNDER_DASHBOARD === `/${parts[0]}` ? 1 : 0] === PARTNERS
}
