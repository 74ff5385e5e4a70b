import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { unzipped } from '../support/unzipped.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, person, question, send } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const HOUR = 3_600_000

/** A project with two choice and two open questions, five completes and one terminate. */
async function reported() {
  const { project, survey } = await fresh(app)
  const snack = await question(app, survey.id)
  const drinks = await app.make.question({ survey_id: survey.id, name: 'Which drinks?', options: '["Tea","Cola"]', position: 2 })
  const why = await app.make.question({ survey_id: survey.id, name: 'Why, or =why?', options: '[]', position: 3 })
  const zip = await app.make.question({ survey_id: survey.id, name: 'ZIP', options: '[]', position: 4 })
  const at = new Date(Date.UTC(2025, 9, 5, 3, 30)).toISOString()
  const answers = (given: object) => ({
    at,
    age: 2,
    gender: 'female',
    latitude: 40.7128,
    longitude: -74.006,
    dma: 501,
    answers: given,
  })
  await send(app, survey.id, [
    person({ respondent_id: 'r1', ...answers({ [snack.id]: 'Chips', [drinks.id]: ['Tea', 'Cola'], [zip.id]: '2139' }) }),
    person({ respondent_id: 'r2', ...answers({ [snack.id]: 'Nuts', [why.id]: 'Mail me at rita@mail.test or 212-555-0199' }) }),
    person({
      respondent_id: 'r3',
      ...answers({ [snack.id]: 'Chips', [drinks.id]: ['Cola'], [why.id]: '“Good”, cheap\nand near' }),
    }),
    person({ respondent_id: 'r4', at, gender: 'male', answers: { [snack.id]: 'Other thing', [zip.id]: 'unknown' } }),
    person({ respondent_id: 'r5', at: new Date(Date.UTC(2025, 9, 7, 12)).toISOString(), ip: '10.1.2.3' }),
    person({ respondent_id: 'r6', outcome: 'terminates', at, answers: { [snack.id]: 'Nuts' } }),
  ])
  return { project, survey, snack, drinks, why, zip }
}
const questions = async (input: Record<string, unknown>) => (await admin().call('report.questions', input)).body
const save = (project_id: number, rows: object[]) => admin().call('report.save', { project_id, questions: rows as never })

/** Starts an export, waits for its end and reads its file from the link in the first response. */
async function fileOf(call: 'report.export' | 'report.datamap', input: Record<string, unknown>) {
  const { status, body } = await admin().call(call, input)
  expect([status, body.message]).toEqual([200, expect.stringContaining('is on its way.')])
  await app.services.jobs.settled(body.job_id, 10_000)
  const answer = await app.as('stranger').raw('GET', body.report_download_link)
  return { link: body.report_download_link, answer, rows: csvRows(answer.text) }
}

/** A CSV's rows, with quotes and line breaks in cells. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|$)/g
  const plain = text.replace(/^\uFEFF/, '')
  for (const [, quoted, bare, end] of plain.matchAll(cells)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare ?? '')
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.filter((row) => row.length > 1 || row[0])
}
const column = (rows: string[][], name: string) => {
  const at = rows[0]!.indexOf(name)
  return rows.slice(1).map((row) => row[at])
}

describe('the columns of a client report', () => {
  test('default to the record’s and the questionnaire’s, with demographics left out', async () => {
    const { project, snack } = await reported()
    const body = await questions({ project_id: project.id })
    expect(body).toMatchObject({ saved: false, count: 18, columns: 18, included: 11, rows: 5, has_survey: true, missing: [] })
    expect(body.data.map((row) => row.column_key).slice(0, 8)).toEqual([
      ...['record', 'start_date', 'start_time', 'end_date', 'interview_time', 'lat_long', 'market_area'],
      `q_${snack.id}`,
    ])
    expect(body.data.filter((row) => !row.should_include).map((row) => row.column_key)).toEqual([
      ...['outcome', 'age', 'gender', 'income', 'ethnicity', 'marital_status', 'children'],
    ])
    expect(body.data[7]).toMatchObject({
      question_id: snack.id,
      question_def: 'Which snack?',
      question_type: 'survey',
      column_name: 'Which snack?',
      column_type: '',
      order: 8,
      examples: ['Chips', 'Nuts', 'Chips'],
      lock_version: 0,
    })
    expect(body.data[3]!.examples).toEqual(['2025-10-04', '2025-10-04', '2025-10-04'])
    expect(body.bytes).toBeGreaterThan(200)
  })

  test('can be filtered by survey, search and inclusion, and paged', async () => {
    const { project, survey } = await reported()
    expect((await questions({ survey_id: survey.id })).project_id).toBe(project.id)
    const second = await questions({ project_id: project.id, per_page: 5, page: 2 })
    expect(second.data.map((row) => row.order)).toEqual([6, 7, 8, 9, 10])
    expect((await questions({ project_id: project.id, search: 'which dr' })).data.map((row) => row.column_name)).toEqual([
      'Which drinks?',
    ])
    expect((await questions({ project_id: project.id, only: 'included' })).count).toBe(11)
    expect((await admin().call('report.questions')).status).toBe(422)
    expect((await admin().call('report.questions', { survey_id: 999_999 })).status).toBe(404)
    expect((await admin().call('report.questions', { project_id: 999_999 })).status).toBe(404)
  })

  test('are only for administrators', async () => {
    const { project } = await reported()
    for (const call of ['report.questions', 'report.templates'] as const)
      expect((await app.as('client').call(call, { project_id: project.id })).status).toBe(403)
    expect((await app.as('client').call('report.export', { project_id: project.id })).status).toBe(403)
  })

  test('change only in the fields sent', async () => {
    const { project, snack } = await reported()
    const { status, body } = await save(project.id, [
      { question_id: snack.id, column_name: 'Snack', column_type: 'zip_code', column_custom_definition: 'As agreed' },
      { column_key: 'age', include_in_report: 1 },
    ])
    expect([status, body.saved, body.message]).toEqual([200, 2, '2 columns saved.'])
    const after = await questions({ project_id: project.id })
    expect(after).toMatchObject({ saved: true, included: 12, columns: 18 })
    const saved = after.data.find((row) => row.question_id === snack.id)!
    expect(saved).toMatchObject({
      column_name: 'Snack',
      column_type: 'zip_code',
      column_custom_definition: 'As agreed',
      order: 8,
    })
    expect(saved.misfits).toEqual(['Chips', 'Nuts', 'Other thing'])
    expect((await save(project.id, [{ question_id: snack.id, column_type: null }])).body.data[0]!.column_type).toBe('')
  })

  test('change nothing when written back as read, and accept both spellings of inclusion', async () => {
    const { project } = await reported()
    await save(project.id, [{ column_key: 'record', column_name: 'Person' }])
    const { data } = await questions({ project_id: project.id })
    expect((await save(project.id, data)).body).toMatchObject({ saved: 0, message: 'Nothing changed.' })
    expect((await questions({ project_id: project.id })).data).toEqual(data)
    await save(project.id, [{ column_key: 'record', should_include: 0 }])
    await save(project.id, [{ column_key: 'end_date', include_in_report: false }])
    expect((await questions({ project_id: project.id, only: 'included' })).count).toBe(9)
    const both = await save(project.id, [{ column_key: 'record', should_include: 1, include_in_report: 0 }])
    expect([both.status, Object.keys(both.body.fields)]).toEqual([422, ['questions.0.include_in_report']])
  })

  test('move to the given place, and the others make room without a conflict', async () => {
    const { project, snack } = await reported()
    await save(project.id, [{ column_key: 'record', column_name: 'ID' }])
    await save(project.id, [
      { question_id: snack.id, order: 1 },
      { column_key: 'record', order: 3 },
    ])
    const { data } = await questions({ project_id: project.id })
    expect(data.slice(0, 4).map((row) => row.column_key)).toEqual([`q_${snack.id}`, 'start_date', 'record', 'start_time'])
    expect(data.map((row) => row.order)).toEqual(data.map((_, at) => at + 1))
    expect(data[1]!.lock_version).toBe(1)
    expect((await save(project.id, [{ column_key: 'record', order: 2000 }])).status).toBe(200)
    expect((await questions({ project_id: project.id })).data.at(-1)!.column_key).toBe('record')
  })

  test('need unique names', async () => {
    const { project, snack } = await reported()
    const blank = await save(project.id, [{ question_id: snack.id, column_name: '  ' }])
    expect([blank.status, blank.body.message, blank.body.fields]).toEqual([
      422,
      MESSAGES.questionName,
      { 'questions.0.column_name': 'question name cannot be blank' },
    ])
    const same = await save(project.id, [
      { question_id: snack.id, column_name: 'Age' },
      { column_key: 'record', column_name: 'AGE' },
    ])
    expect([same.status, Object.keys(same.body.fields).sort()]).toEqual([
      422,
      ['questions.0.column_name', 'questions.1.column_name'],
    ])
    expect((await questions({ project_id: project.id })).saved).toBe(false)
  })

  test('name invalid fields', async () => {
    const { project, snack } = await reported()
    const other = await reported()
    for (const [row, field] of [
      [{ question_id: snack.id, question_def: 'Another text' }, 'question_def'],
      [{ question_id: snack.id, survey_id: other.survey.id }, 'survey_id'],
      [{ question_id: other.snack.id, column_name: 'X' }, 'question_id'],
      [{ column_key: 'nothing', column_name: 'X' }, 'column_key'],
      [{ column_name: 'X' }, 'column_key'],
      [{ column_key: 'record', column_type: 'colour' }, 'column_type'],
    ] as const) {
      const answer = await save(project.id, [row])
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [`questions.0.${field}`]])
    }
    const known = await save(project.id, [
      { question_id: snack.id, question_def: 'Which snack?', column_name: 'Snack', colour: 1 },
    ])
    expect([known.status, known.body.ignored]).toEqual([200, ['questions.colour']])
  })

  test('conflict row by row with somebody else’s concurrent change', async () => {
    const { project, snack, why } = await reported()
    await save(project.id, [{ question_id: snack.id, column_name: 'Snack', lock_version: 0 }])
    const first = (await questions({ project_id: project.id })).data.find((row) => row.question_id === snack.id)!
    await save(project.id, [{ question_id: snack.id, column_name: 'Snacks', lock_version: first.lock_version }])
    const clash = await save(project.id, [
      { question_id: snack.id, column_name: 'Crisps', lock_version: first.lock_version },
      { question_id: why.id, column_name: 'Reason', lock_version: 1 },
    ])
    expect([clash.status, clash.body.code, (clash.body as unknown as { rows: unknown[] }).rows]).toEqual([
      409,
      'stale',
      [
        {
          column_key: `q_${snack.id}`,
          theirs: expect.objectContaining({ column_name: 'Snacks', lock_version: 2 + first.lock_version - 1 }),
          mine: { column_name: 'Crisps' },
          clashes: ['column_name'],
        },
      ],
    ])
    expect((await questions({ project_id: project.id, search: 'reason' })).count).toBe(0)
  })

  test('are undone as a whole, the first save included', async () => {
    const { project, snack } = await reported()
    const before = await questions({ project_id: project.id })
    const first = await save(project.id, [{ question_id: snack.id, column_name: 'Snack', order: 1 }])
    const second = await save(project.id, [{ column_key: 'age', order: 2, should_include: 1 }])
    for (const { headers } of [second, first])
      expect((await admin().call('undo.take', { id: Number(headers['x-undo']) })).status).toBe(200)
    expect((await questions({ project_id: project.id })).data).toEqual(before.data)
  })

  test('lack questions that the survey got later, until these are added', async () => {
    const { project, survey } = await reported()
    await save(project.id, [{ column_key: 'record', column_name: 'ID' }])
    const late = await app.make.question({ survey_id: survey.id, name: 'Anything else?', options: '[]', position: 9 })
    expect((await questions({ project_id: project.id })).missing).toEqual([
      { question_id: late.id, question_def: 'Anything else?' },
    ])
    await save(project.id, [{ question_id: late.id }])
    const after = await questions({ project_id: project.id })
    expect(after).toMatchObject({ missing: [], columns: 19 })
    expect(after.data.at(-1)).toMatchObject({ question_id: late.id, should_include: 1, order: 19 })
  })

  test('share one column for the same question of a family', async () => {
    const parent = await app.make.project({ client_id: app.client.id })
    const waves = await Promise.all([1, 2].map(() => fresh(app, { parent_id: parent.id })))
    const asked = await Promise.all(waves.map(({ survey }) => question(app, survey.id)))
    for (const [at, { survey }] of waves.entries())
      await send(app, survey.id, [person({ answers: { [asked[at]!.id]: 'Chips' } })])
    const { data } = await questions({ project_id: parent.id })
    expect(data.filter((row) => row.question_id)).toHaveLength(1)
    expect(column((await fileOf('report.export', { project_id: parent.id })).rows, 'Which snack?')).toEqual(['Chips', 'Chips'])
  })
})

describe('templates', () => {
  test('keep the columns of a report for every client or one, and are deleted with undo', async () => {
    const { project } = await reported()
    const other = await app.make.client()
    const made = await admin().call('report.createTemplate', { project_id: project.id, name: 'House style' })
    expect(made.body.data).toMatchObject({ name: 'House style', client_id: null, columns: expect.any(Array) })
    expect(made.body.data.columns[7]).toMatchObject({ column_key: '', question_def: 'Which snack?', should_include: 1 })
    await admin().call('report.createTemplate', { project_id: project.id, name: 'Theirs', client_id: other.id })
    const names = async (input: Record<string, unknown> = {}) =>
      (await admin().call('report.templates', input)).body.data.map(({ name }) => name)
    expect(await names()).toEqual(['House style', 'Theirs'])
    expect(await names({ client_id: app.client.id })).toEqual(['House style'])
    const twice = await admin().call('report.createTemplate', { project_id: project.id, name: 'house STYLE' })
    expect([twice.status, twice.body.message]).toEqual([422, 'A template called “house STYLE” already exists.'])
    expect((await admin().call('report.createTemplate', { project_id: project.id, name: ' ' })).body.message).toBe(
      'Template name cannot be blank',
    )
    const gone = await admin().call('report.removeTemplate', { id: made.body.data.id })
    expect(await names()).toEqual(['Theirs'])
    await admin().call('undo.take', { id: Number(gone.headers['x-undo']) })
    expect(await names()).toEqual(['House style', 'Theirs'])
  })
})

describe('the file of a client report', () => {
  test('agrees with User Responses on every question', async () => {
    const { project, survey } = await reported()
    const { rows } = await fileOf('report.export', { project_id: project.id })
    expect(rows).toHaveLength(6)
    const shown = (await admin().call('runtime.userResponses', { surveyId: survey.id })).body.data
    expect(shown.length).toBe(4)
    for (const { title, rows: bars } of shown) {
      const given = column(rows, title).filter(Boolean)
      const texts = title === 'Which drinks?' ? given.flatMap((cell) => cell!.split('; ')) : given
      for (const { label, value } of bars)
        if (!/rita@/.test(label)) expect([label, texts.filter((text) => text === label).length]).toEqual([label, value])
      expect(texts).toHaveLength(bars.reduce((sum, { value }) => sum + value, 0))
    }
  })

  test('formats each type of column, and contains nothing that identifies a person', async () => {
    const { project, zip, why } = await reported()
    await save(project.id, [
      { question_id: zip.id, column_type: 'zip_code' },
      { column_key: 'gender', should_include: 1 },
      { column_key: 'age', should_include: 1, order: 1 },
      { question_id: why.id, column_name: 'Why' },
    ])
    const { rows, answer } = await fileOf('report.export', { project_id: project.id })
    expect(rows[0]![0]).toBe('Age')
    expect(column(rows, 'Record')).toEqual(['r1', 'r2', 'r3', 'r4', 'r5'])
    expect(column(rows, 'End date')).toEqual(['2025-10-04', '2025-10-04', '2025-10-04', '2025-10-04', '2025-10-07'])
    expect(column(rows, 'Start date')).toEqual(['', '', '', '', ''])
    expect(column(rows, 'Position').slice(0, 1)).toEqual(['40.7, -74.0'])
    expect(column(rows, 'Market area')[0]).toMatch(/New York/)
    expect(column(rows, 'ZIP')).toEqual(['02139', '', '', 'unknown', ''])
    expect(column(rows, 'Gender')).toEqual(['Female', 'Female', 'Female', 'Male', ''])
    expect(column(rows, 'Why')[1]).toBe('Mail me at [email] or [phone]')
    expect(column(rows, 'Why')[2]).toBe('“Good”, cheap\nand near')
    for (const secret of ['rita@', '10.1.2.3', '40.71', '555-0199']) expect(answer.text).not.toContain(secret)
  })

  test('contains the requested outcomes, days and people', async () => {
    const { project } = await reported()
    await save(project.id, [{ column_key: 'outcome', should_include: 1 }])
    const records = async (more: object) =>
      column((await fileOf('report.export', { project_id: project.id, ...more })).rows, 'Record')
    expect(await records({ outcomes: 'all' })).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r6'])
    expect(await records({ from: '2025-10-05' })).toEqual(['r5'])
    expect(await records({ to: '2025-10-04' })).toEqual(['r1', 'r2', 'r3', 'r4'])
    expect(await records({ gender: 'female', ageRange: '2' })).toEqual(['r1', 'r2', 'r3'])
    expect((await admin().call('report.export', { project_id: project.id, gender: 'cat' })).status).toBe(422)
  })

  test('can be a workbook too', async () => {
    const { project } = await reported()
    const { body } = await admin().call('report.export', { project_id: project.id, format: 'xlsx' })
    await app.services.jobs.settled(body.job_id, 10_000)
    const got = await app.app.inject({ method: 'GET', url: body.report_download_link })
    expect(got.headers['content-type']).toContain('spreadsheetml')
    expect(unzipped(got.rawPayload).get('xl/worksheets/sheet1.xml')?.toString()).toContain('Which snack?')
  })

  test('returns its progress while it is written, and itself for 15 minutes from then', async () => {
    const { project } = await reported()
    const held = app.services.files.put
    let go = () => {}
    const until = new Promise<void>((resolve) => {
      go = resolve
    })
    app.services.files.put = async (...given) => {
      await until
      return held.apply(app.services.files, given)
    }
    const { body } = await admin().call('report.export', { project_id: project.id })
    const early = await app.as('stranger').raw('GET', body.report_download_link)
    expect([early.status, early.headers['retry-after'], early.body]).toEqual([
      202,
      '2',
      expect.objectContaining({ job_id: body.job_id, status: expect.stringMatching(/queued|running/), done: expect.any(Number) }),
    ])
    app.services.files.put = held
    go()
    await app.services.jobs.settled(body.job_id, 10_000)
    expect((await app.as('stranger').raw('GET', body.report_download_link)).status).toBe(200)
    const ended = (back: number) =>
      app.write((tx) =>
        tx
          .updateTable('jobs')
          .set({ ended_at: new Date(Date.now() - back).toISOString() })
          .where('id', '=', body.job_id)
          .execute(),
      )
    await ended(HOUR / 4 - 60_000)
    expect((await app.as('stranger').raw('GET', body.report_download_link)).status).toBe(200)
    await ended(HOUR / 4 + 1000)
    expect((await app.as('stranger').raw('GET', body.report_download_link)).status).toBe(404)
    expect((await app.as('stranger').raw('GET', `${body.report_download_link}x`)).status).toBe(404)
  })

  test('is closed to a former administrator', async () => {
    const { project } = await reported()
    const other = await app.make.user({ role: 'admin' })
    const person = await app.signIn(other)
    const { body } = await person.call('report.export', { project_id: project.id })
    await app.services.jobs.settled(body.job_id, 10_000)
    expect((await app.as('stranger').raw('GET', body.report_download_link)).status).toBe(200)
    await app.write((tx) => tx.updateTable('users').set({ role: 'client' }).where('id', '=', other.id).execute())
    expect((await app.as('stranger').raw('GET', body.report_download_link)).status).toBe(404)
  })

  test('needs a survey and a column', async () => {
    const bare = await app.make.project({ client_id: app.client.id })
    const refused = await admin().call('report.export', { project_id: bare.id })
    expect([refused.status, refused.body.message]).toEqual([409, 'Link a survey first.'])
    const { project } = await reported()
    const { data } = await questions({ project_id: project.id })
    await save(
      project.id,
      data.map(({ column_key }) => ({ column_key, should_include: 0 })),
    )
    expect((await admin().call('report.datamap', { project_id: project.id })).body.message).toBe('Include at least one column.')
  })

  test('has a data map that describes each column', async () => {
    const { project, snack } = await reported()
    await save(project.id, [{ question_id: snack.id, column_name: 'Snack', column_custom_definition: 'Last snack' }])
    const { rows } = await fileOf('report.datamap', { project_id: project.id })
    expect(rows[0]).toEqual(['No.', 'Column', 'Key', 'Type', 'Definition', 'Question', 'Values'])
    expect(rows).toHaveLength(12)
    expect(rows[1]).toEqual(['1', 'Record', 'record', 'Record', 'The respondent’s ID', 'The respondent’s ID', ''])
    expect(rows[8]).toEqual(['8', 'Snack', `q_${snack.id}`, 'Answer', 'Last snack', 'Which snack?', 'Chips; Nuts'])
  })
})
