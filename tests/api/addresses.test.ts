import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../server/http/app.ts'
import { screenPatterns } from '../../src/routing/match.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { openScratch } from '../support/scratch.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let server: Awaited<ReturnType<typeof buildApp>>
beforeAll(async () => {
  app = await fieldwork()
  const web = openScratch('fieldwork-web')
  mkdirSync(join(web, '.vite'))
  for (const page of ['index', 'partner']) writeFileSync(join(web, `${page}.html`), `<title>${page}</title>`)
  writeFileSync(join(web, 'favicon.svg'), '<svg/>')
  writeFileSync(join(web, '.vite/screens.json'), JSON.stringify(screenPatterns()))
  server = await buildApp(app.services, web)
  closeAfterFile(() => server.close())
})

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const [WORKSPACE, PARTNERS, MISSING] = ['200 <title>index</title>', '200 <title>partner</title>', '404']

type Row = readonly [address: string, browser: string, program: string]
const all = (addresses: readonly string[], browser: string, program: string): Row[] =>
  addresses.map((address) => [address, browser, program])

/** TABLE  addresses: what a browser that loads a page gets, and what a program gets. */
const ADDRESSES: readonly Row[] = [
  // Screens, with and without /dashboard, their tabs and aliases.
  ...all(['/', '/login', '/dashboard/all-projects', '/dashboard/project-info/4180/dashboard', '/clients'], WORKSPACE, WORKSPACE),
  ...all(['/v3/users', '/dashboard/clients/', '/dashboard/clients?search=a.b', '/confirm-email?token=a.b'], WORKSPACE, WORKSPACE),
  ['/survey-feasibility/feasibility/4180/7', PARTNERS, PARTNERS],
  ['/survey-feasibility/nonsense', PARTNERS, MISSING],
  // Pages that don't exist end at all projects.
  ...all(['/nonsense', '/dashboard/nonsense', '/a/b/c', '/v3/nonsense', '/dashboard/project-info/x'], WORKSPACE, MISSING),
  ...all(['/admin', '/dashboard/clients.', '/versions', '/authors'], WORKSPACE, MISSING),
  // What programs ask for is never a page.
  ...all(['/v1', '/v1/nonsense', '/v1/nonsense.json', '/V1/users', '//v1//nonsense', '/%761/nonsense'], MISSING, MISSING),
  ...all(['/v2', '/v2/users', '/v4/x', '/v10/x', '/v0', '/v3/portal', '/v3/portal/nonsense', '/v3/Portal/x'], MISSING, MISSING),
  ...all(
    ['/v3/portal/projects/1/nonsense', '/auth', '/auth/nonsense', '/.well-known', '/.git/config', '/.env'],
    MISSING,
    MISSING,
  ),
  ...all(['/.well-known/nonsense', '/.well-known/security.txt/x', '/.vite/screens.json', '/openapi/x'], MISSING, MISSING),
  ...all(['/health', '/readyz', '/ready', '/metrics', '/version', '/health/x', '/livez/x', '/healthz/x'], MISSING, MISSING),
  ...all(['/robots.txt', '/index.php', '/dashboard/clients.html', '/assets/nonsense.js', '/assets/nonsense'], MISSING, MISSING),
  ...all(['/a/b.png?x=1', '/w%2ephp', '/mcp/x'], MISSING, MISSING),
  ...all(['/dashboard/.git/HEAD', '/a/%2egit/config', '/a/.DS_Store'], MISSING, MISSING),
]

test('each address answers a browser and a program as it should', async () => {
  const wrong: string[] = []
  for (const [address, ...wanted] of ADDRESSES)
    for (const [at, accept] of [BROWSER, '*/*'].entries()) {
      const { statusCode, body } = await server.inject({ url: address, headers: { accept } })
      const got = statusCode === 200 ? `200 ${body}` : String(statusCode)
      if (got !== wanted[at]) wrong.push(`${address} for ${accept}: ${got}`)
    }
  expect(wrong).toEqual([])
})

test('an assistant finds how it signs in', async () => {
  for (const path of ['', '/mcp']) {
    const answer = await server.inject(`/.well-known/oauth-protected-resource${path}`)
    expect(answer.json()).toMatchObject({ resource: expect.stringMatching(/\/mcp$/), bearer_methods_supported: ['header'] })
  }
  expect((await server.inject('/.well-known/oauth-authorization-server')).statusCode).toBe(404)
})

test('a file is sent, a reporter finds whom to write to, and a password manager the form', async () => {
  expect((await server.inject('/favicon.svg')).body).toBe('<svg/>')
  await app.as('admin').call('organization.edit', { support_mail: 'help@acme.test' })
  const text = await server.inject('/.well-known/security.txt')
  expect([text.statusCode, text.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text.body).toContain('Contact: mailto:help@acme.test\n')
  const expires = Date.parse(/^Expires: (.*)$/m.exec(text.body)![1]!) - Date.now()
  expect(expires).toBeGreaterThan(30 * 86_400_000)
  expect(expires).toBeLessThan(365 * 86_400_000)
  const form = await server.inject('/.well-known/change-password')
  expect([form.statusCode, form.headers.location]).toEqual([303, '/dashboard/account-settings?section=password'])
  for (const url of ['/.well-known/security.txt', '/.well-known/change-password', '/nonsense'])
    expect([404, 405], url).toContain((await server.inject({ method: 'POST', url })).statusCode)
})
