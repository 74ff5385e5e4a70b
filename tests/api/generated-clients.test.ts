import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh } from './surveyed.ts'

// Typed clients that are generated from /openapi.json, and programs that an integrator writes with them.

const root = resolve(import.meta.dirname, '../..')
const clients = join(root, 'tests/clients')
/** The programs of the guide, in its order. */
const PAGE = readFileSync(join(root, 'docs/typed-clients.md'), 'utf8')
const GUIDE = [...PAGE.slice(PAGE.indexOf('## Generators')).matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]!)
const run = promisify(execFile)

let app: Fieldwork
let folder: string
beforeAll(async () => {
  app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  folder = mkdtempSync(join(inject('scratch'), 'clients-'))
  cpSync(join(clients, 'programs'), folder, { recursive: true })
  // The packages that the programs import, wherever npm put them.
  for (const name of ['openapi-fetch', '@types/node']) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(dirname(findPackageJSON(name, join(clients, 'package.json'))!), join(folder, 'node_modules', name))
  }
  for (const [nth, program] of GUIDE.entries()) writeFileSync(join(folder, `guide-${nth}.ts`), program)
  const document = join(folder, 'openapi.json')
  writeFileSync(document, JSON.stringify((await app.as('stranger').raw('GET', '/openapi.json')).body))
  mkdirSync(join(folder, 'generated'))
  await run(process.execPath, [join(clients, 'generate.ts'), document, join(folder, 'generated')])
}, 240_000)

test('what openapi-typescript and hey-api generate compiles, and refuses the usual mistakes', async () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')
}, 120_000)

test('the programs of “Typed clients” list active projects', async () => {
  const { project } = await fresh(app)
  const { token } = (await app.as('admin').call('token.create', { name: 'Guide', scopes: ['project:read'] })).body.data
  const { port } = app.app.server.address() as AddressInfo
  const env = { PATH: process.env.PATH, PORTAL: `http://127.0.0.1:${port}`, TOKEN: token }
  expect(GUIDE).toHaveLength(2)
  for (const nth of GUIDE.keys()) {
    const { stdout } = await run(process.execPath, [join(folder, `guide-${nth}.ts`)], { env })
    expect(stdout.split('\n')).toContain(`${project.id} ${project.name}`)
  }
}, 60_000)

test.each([
  ['openapi-fetch', 'Fetch & Sons'],
  ['hey-api', 'Hey & Sons'],
])(
  'a program with the types for %s reads, writes, sends a batch and a file, and is told what is wrong',
  async (program, name) => {
    const { survey } = await fresh(app)
    const scopes = ['client:read', 'client:write', 'file:write', 'runtime:write']
    const { token } = (await app.as('admin').call('token.create', { name: program, scopes })).body.data
    const { port } = app.app.server.address() as AddressInfo
    const env = { PATH: process.env.PATH, PORTAL: `http://127.0.0.1:${port}`, TOKEN: token, SURVEY: String(survey.id) }
    const { stdout } = await run(process.execPath, [join(folder, `${program}.ts`)], { env })
    expect(JSON.parse(stdout)).toMatchObject({
      created: expect.any(Number),
      names: [name],
      refused: [422, 'invalid', ['name']],
      batch: { added: 2, refused: 0, dry: false },
      uploaded: ['typed.csv'],
    })
  },
  60_000,
)
