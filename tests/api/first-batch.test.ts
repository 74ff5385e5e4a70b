import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { RESPONDENT_FIELDS, type RespondentField } from '../../contract/respondent.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh } from './surveyed.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/first-batch.md'), 'utf8')
const run = promisify(execFile)

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
})

test('the commands of “Your first batch” work as written', async () => {
  const { survey } = await fresh(app)
  const { key } = (await app.as('admin').call('key.create', { name: 'First batch', surveys: [survey.id] })).body.data
  const { port } = app.app.server.address() as AddressInfo
  const env = { PATH: process.env.PATH, PORTAL: `http://127.0.0.1:${port}`, KEY: key, SURVEY: String(survey.id) }
  const cwd = mkdtempSync(join(inject('scratch'), 'first-batch-'))
  const script = /```sh\n(.*?)```/s.exec(PAGE)![1]!
  const steps = script.split(/^# \d+\..*\n/m).slice(1)
  expect(steps).toHaveLength(11)
  const printed: unknown[] = []
  for (const step of steps) {
    const { stdout } = await run('sh', ['-ec', step], { cwd, env })
    printed.push(stdout && (JSON.parse(stdout) as unknown))
  }
  expect(printed).toMatchObject([
    { count: 1, data: [{ id: survey.id, in_field: true, remaining: expect.any(Number) }] },
    { data: { id: survey.id } },
    '',
    { data: { added: 2, dry: true } },
    { data: { added: 2, repeated: 0, refused: 0, warnings: [], dry: false } },
    { data: { added: 0, repeated: 2 } },
    { data: { added: 1 } },
    { message: 'Respondent r-1 is corrected.' },
    { message: 'Respondent r-2 is withdrawn.' },
    { data: { respondent_id: 'r-1', outcome: 'completes', withdrawn_at: null } },
    { code: 'all_refused', data: { refused: 1, errors: [{ field: 'outcome' }, { field: 'age' }] } },
  ])
  const { data } = (await app.as('admin').call('runtime.summary', { surveyId: survey.id })).body
  expect(data).toMatchObject({ completes: 1, terminates: 0, overquota: 1 })
})

test('every field and code of a respondent is in “Your first batch”', () => {
  for (const [name, { about, codes = [] }] of Object.entries(RESPONDENT_FIELDS) as [string, RespondentField][]) {
    const row = PAGE.split('\n').find((line) => line.startsWith(`- \`${name}\``))
    expect(row, name).toContain(about)
    for (const { value } of codes) expect(row, name).toContain(`\`${value}\``)
  }
})
