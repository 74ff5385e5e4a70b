import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh } from './surveyed.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/first-session.md'), 'utf8')
const run = promisify(execFile)

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
})

test('the commands of “Your first session” work as written', async () => {
  const { project, survey } = await fresh(app, { status: 'active' })
  await app.db.updateTable('surveys').set({ survey_link: 'https://survey.test/run' }).where('id', '=', survey.id).execute()
  const { id: partner_id } = await app.make.partner({})
  const fields = { id: project.id, partner_id, name: 'Main', return_complete: 'https://panel.test/done?id={pid}' }
  const made = (await app.as('admin').call('entryLink.create', fields)).body
  expect((await app.as('admin').call('entryLink.resume', { id: made.data.id })).status).toBe(200)
  const portal = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  const link = portal + new URL(made.data.url).pathname
  const env = { PATH: process.env.PATH, PORTAL: portal, LINK: link, SECRET: made.secret }
  const script = /```sh\n(.*?)```/s.exec(PAGE)![1]!
  const { stdout } = await run('sh', ['-ec', script], { cwd: mkdtempSync(join(inject('scratch'), 'first-session-')), env })
  expect(stdout).toMatch(/"state":"complete","proof":"s2s"/)
  expect(stdout.trim().endsWith('https://panel.test/done?id=p-1')).toBe(true)
  const rows = app.db.selectFrom('respondents').select(['respondent_id', 'outcome']).where('survey_id', '=', survey.id)
  expect(await rows.execute()).toEqual([{ respondent_id: 'r-1', outcome: 'completes' }])
})
