import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { hashPassword } from '../../server/core/passwords.ts'
import { fieldwork } from './support.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/sign-in.md'), 'utf8')
const PASSWORD = 'Own-app-2026!'
const run = promisify(execFile)

test('the commands of “Sign in from your own app” work as written', async () => {
  const app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const user = await app.make.user({ role: 'client', password_hash: await hashPassword(PASSWORD), clients: [app.client.id] })
  const { id } = await app.make.project({ client_id: app.client.id })
  const { port } = app.app.server.address() as AddressInfo
  const env = { PATH: process.env.PATH, PORTAL: `http://127.0.0.1:${port}`, EMAIL: user.email, PASSWORD }
  const cwd = mkdtempSync(join(inject('scratch'), 'sign-in-'))
  const steps = /```sh\n(.*?)```/s
    .exec(PAGE)![1]!
    .split(/^# \d+\..*\n/m)
    .slice(1)
  const printed: unknown[] = []
  for (const step of steps) {
    const { stdout } = await run('sh', ['-ec', step], { cwd, env })
    // Each response is one JSON text; a step may have two.
    printed.push(
      stdout
        .replace(/\}\{/g, '}\n{')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown),
    )
  }
  expect(printed).toMatchObject([
    [{ data: { email: user.email } }],
    [{ count: 1, data: [{ id }] }],
    [{ data: { email: user.email } }],
    [{ data: { email: user.email } }, { status: 304 }],
    [{ success: true }],
    [{ code: 'unauthorized' }],
  ])
})
