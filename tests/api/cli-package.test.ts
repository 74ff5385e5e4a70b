import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { cliFiles, packagesOf } from '../../scripts/build-packages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// The package that `npm pack` makes of cli/, run in a folder with nothing of this repository but its dependencies.
const ROOT = resolve(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'cli/package.json'), 'utf8')) as {
  version: string
  dependencies: Record<string, string>
}
let app: Fieldwork
let env: Record<string, string>
let installed: string
beforeAll(async () => {
  app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { token } = (await app.as('admin').call('token.create', { name: 'Package', scopes: ['*:write'] })).body.data
  const url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  const folder = mkdtempSync(join(inject('scratch'), 'cli-package-'))
  env = { PATH: process.env.PATH!, HOME: folder, FIELDWORK_URL: url, FIELDWORK_TOKEN: token }
  const npm = join(dirname(process.execPath), existsSync(join(dirname(process.execPath), 'npm')) ? 'npm' : '')
  const pack = promisify(execFile)(npm.endsWith('npm') ? npm : 'npm', ['pack', '--pack-destination', folder], {
    cwd: join(ROOT, 'cli'),
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  })
  await pack
  const [packed] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  installed = join(folder, 'node_modules/@fieldwork/cli')
  mkdirSync(installed, { recursive: true })
  await promisify(execFile)('tar', ['-xzf', join(folder, packed!), '--strip-components=1', '-C', installed])
  for (const name of Object.keys(manifest.dependencies)) {
    const at = join(folder, 'node_modules', name)
    mkdirSync(dirname(at), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), at)
  }
}, 120_000)

const run = async (...args: string[]) => {
  try {
    const done = await promisify(execFile)(process.execPath, [join(installed, 'fieldwork.mjs'), ...args], { env, cwd: env.HOME })
    return { code: 0, out: done.stdout, err: done.stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

test('has the packages that its files import, in the versions of the server', () => {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, Record<string, string>>
  const all = { ...own.devDependencies, ...own.dependencies }
  expect([...packagesOf(cliFiles())].sort()).toEqual(Object.keys(manifest.dependencies).sort())
  for (const [name, range] of Object.entries(manifest.dependencies)) expect([name, range]).toEqual([name, all[name]])
})

test('says its version, and helps without a server', async () => {
  expect(await run('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
  expect((await run('help', 'project')).out).toContain('go-live')
})

test('reads, reviews with the workspace’s words, and writes', async () => {
  const { id } = await app.make.project({ client_id: app.client.id, status: 'approved', name: 'Packed wave' })
  expect((await run('project', 'get', String(id))).out).toMatch(/Name +Packed wave/)
  const dry = await run('project', 'set-status', String(id), '--status', 'Active', '--dry')
  expect([dry.code, dry.err.includes('Packed wave')]).toEqual([0, true])
  expect((await run('note', 'create', '--project-id', String(id), '--note', 'From a package')).code).toBe(0)
})

test('takes names in place of IDs, and says which there are if several have one', async () => {
  const client = await app.make.client({ name: 'Ümlaut & Söhne' })
  expect((await run('client', 'get', 'umlaut & sohne', '--json')).out).toContain(`"id":${client.id}`)
  const { id } = await app.make.project({ client_id: client.id, name: 'Twice named' })
  const other = await app.make.project({ client_id: app.client.id, name: 'Twice named' })
  const both = await run('project', 'get', 'Twice named')
  expect(both.code).toBe(2)
  expect(both.err).toContain('ambiguous')
  for (const one of [id, other.id]) expect(both.err).toContain(`${one} “Twice named”`)
  expect((await run('project', 'get', `P-${id}`, '--json')).out).toContain(`"id":${id}`)
  const list = await run('project', 'list', '--client-id', 'Ümlaut & Söhne', '--json')
  expect((JSON.parse(list.out) as { data: { id: number }[] }).data.map((row) => row.id)).toEqual([id])
  const none = await run('client', 'edit', 'Nobody & Co', '--name', 'Never')
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('is no client’s ID or name')])
})

test('completes the statuses of a project', async () => {
  const { out } = await run('completion', 'bash')
  expect(out).toMatch(/'project list --status'\) words='all pending approved active paused completed'/)
  expect(out).toMatch(/'project set-status --status'\) words='Pending OnQuote/)
})
