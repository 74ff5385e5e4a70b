import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { fieldwork } from './support.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/reading-lists.md'), 'utf8')
const run = promisify(execFile)

test('the commands of “Read lists” work as written', async () => {
  const app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { body } = await app.as('admin').call('token.create', { name: 'Lists', scopes: ['project:read'] })
  const long = '2026-10-01T00:00:00.000Z'
  for (const name of ['A', 'B', 'C']) await app.make.project({ client_id: app.client.id, name, updated_at: long })
  await app.make.project({ client_id: app.client.id, name: 'D', updated_at: '2026-11-01T00:00:00.000Z' })
  const { port } = app.app.server.address() as AddressInfo
  const env = { PATH: process.env.PATH, PORTAL: `http://127.0.0.1:${port}`, TOKEN: body.data.token }
  const cwd = mkdtempSync(join(inject('scratch'), 'lists-'))
  const steps = /```sh\n(.*?)```/s
    .exec(PAGE)![1]!
    .split(/^# \d+\..*\n/m)
    .slice(1)
  // A shell for all steps, since the second sets what the fourth uses.
  const { stdout } = await run('sh', ['-ec', steps.join('\necho\n')], { cwd, env })
  const [first, second, changed, refused] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { data: { name: string }[]; fields: object })
  const names = (answer: typeof first) => answer!.data.map(({ name }) => name)
  expect([names(first), names(second), names(changed)]).toEqual([['A', 'B'], ['C', 'D'], ['D']])
  expect(Object.keys(refused!.fields)).toEqual(['cursor'])
})
