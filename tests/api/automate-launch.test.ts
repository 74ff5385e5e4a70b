import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fieldwork } from './support.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/automate-launch.md'), 'utf8')
const run = promisify(execFile)
/** The line before which the client approves. */
const APPROVED_BEFORE = 8

test('the commands of “Automate a launch” work as written', async () => {
  const app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.app.server.address() as AddressInfo
  const made = { name: 'Launch bot', kind: 'service', scopes: ['project:write'] } as const
  const { token } = (await app.as('admin').call('token.create', { ...made, scopes: [...made.scopes] })).body.data
  const partner = await app.make.partner()
  const env: Record<string, string> = {
    PATH: process.env.PATH!,
    PORTAL: `http://127.0.0.1:${port}`,
    TOKEN: token,
    CLIENT: String(app.client.id),
    PARTNER: String(partner.id),
  }
  const script = /```sh\n(.*?)```/s.exec(PAGE)![1]!
  const steps = script.split(/^# \d+\..*\n/m).slice(1)
  expect(steps).toHaveLength(10)
  const printed: { data?: { id?: number }; message?: string }[] = []
  for (const [at, step] of steps.entries()) {
    if (at + 1 === APPROVED_BEFORE) {
      const approval = { project_id: Number(env.PROJECT), status: 'QuoteApproved' } as const
      expect((await app.as('client').call('project.approve', approval)).status).toBe(200)
    }
    const { stdout } = await run('sh', ['-ec', step], { env }).catch((error: Error) => {
      throw new Error(`line ${at + 1} failed: ${error.message}`)
    })
    printed.push(JSON.parse(stdout) as (typeof printed)[number])
    if (at === 1) env.PROJECT = String(printed[1]!.data!.id)
  }
  expect(printed).toMatchObject([
    { data: { name: 'Launch bot', scopes: ['project:write'] } },
    { data: { name: 'Autumn snacks', stored_status: 'requirements' } },
    { data: { stored_status: 'pricing' } },
    { data: { stored_status: 'submit_approval' } },
    { data: { stored_status: 'submit_approval' } },
    { message: expect.any(String) },
    { code: 'not_now' },
    { data: { stored_status: 'approved', allowed_actions: expect.arrayContaining(['project.goLive']) } },
    { message: 'Project is Live', data: { stored_status: 'active' } },
    { data: expect.arrayContaining([expect.objectContaining({ who: expect.stringMatching(/^token “Launch bot” of \S/) })]) },
  ])
})
