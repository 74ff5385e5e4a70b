import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { CHILDREN, ETHNICITIES, GENDERS, MARITAL } from '../../contract/vocabulary.ts'
import { randomOf } from '../torture/random.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, person, send } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

/** The rows of a report's file by column name. */
async function fileOf(project_id: number, more: object = {}): Promise<Record<string, string>[]> {
  const { body } = await admin().call('report.export', { project_id, ...more })
  await app.services.jobs.settled(body.job_id, 20_000)
  const { text } = await app.as('stranger').raw('GET', body.report_download_link)
  const [names, ...rows] = text
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .filter(Boolean)
    .map((line) => line.split(','))
  return rows.map((row) => Object.fromEntries(names!.map((name, at) => [name, row[at]!])))
}

const OPTIONS = ['Chips', 'Nuts', 'Fruit', 'Nothing']
/** A project and its child, each with a survey of the same three questions and 120 respondents. */
async function family() {
  const parent = await app.make.project({ client_id: app.client.id })
  const parts = [
    { project: parent, survey: await app.make.survey({ project_id: parent.id }) },
    await fresh(app, { parent_id: parent.id }),
  ]
  const random = randomOf(12)
  for (const { survey } of parts) {
    const ask = (name: string, options: readonly string[], position: number) =>
      app.make.question({ survey_id: survey.id, name, options: JSON.stringify(options), position })
    const [snack, drinks, visits] = [
      await ask('Snack', OPTIONS, 1),
      await ask('Drinks', ['Tea', 'Cola', 'Water'], 2),
      await ask('Visits', ['1', '2', '3'], 3),
    ]
    const rows = Array.from({ length: 120 }, (_, at) =>
      person({
        outcome: at % 10 === 9 ? 'terminates' : 'completes',
        age: random.chance(0.1) ? undefined : 1 + Math.floor(random.next() * 7),
        gender: random.chance(0.1) ? undefined : random.pick(GENDERS).value,
        hhi: Math.floor(random.next() * 7),
        ethnicity: random.pick(ETHNICITIES).value,
        marital_status: random.pick(MARITAL).value,
        children: Math.floor(random.next() * CHILDREN.length),
        dwell: random.chance(0.5) ? Math.floor(random.next() * 70) : null,
        notice: random.pick([true, false, null]),
        answers: {
          ...(random.chance(0.9) ? { [snack.id]: random.pick(OPTIONS) } : {}),
          ...(random.chance(0.8) ? { [drinks.id]: ['Tea', 'Cola', 'Water'].filter(() => random.chance(0.6)) } : {}),
          ...(random.chance(0.7) ? { [visits.id]: random.pick(['1', '2', '3']) } : {}),
        },
      }),
    )
    expect((await send(app, survey.id, rows)).status).toBe(200)
  }
  return parts
}

test('the figures in the file are those of User Responses under every filter, and of the lists', async () => {
  const parts = await family()
  const [parent] = parts
  const filters = [
    {},
    { gender: 'female,male' },
    { ageRange: '2,3,8' },
    { hhi: '3,4' },
    { ethnicity: 'white,asian' },
    { dwellRange: 'unknown' },
    { notice: 'yes' },
    { gender: 'female', ageRange: '3,4,5', hhi: '0,1,2,3', notice: 'no,unknown' },
  ]
  for (const { project, survey } of parts) {
    for (const filter of filters) {
      const rows = await fileOf(project.id, filter)
      const { body } = await admin().call('runtime.userResponses', { surveyId: survey.id, scope: 'project', ...filter })
      expect(body.data.map(({ title }) => title)).toEqual(['Snack', 'Drinks', 'Visits'])
      for (const { title, answered, rows: bars } of body.data) {
        const cells = rows.map((row) => row[title]!).filter(Boolean)
        expect([filter, title, cells.length]).toEqual([filter, title, answered])
        const texts = cells.flatMap((cell) => cell.split('; '))
        for (const { label, value } of bars)
          expect([filter, title, label, texts.filter((text) => text === label).length]).toEqual([filter, title, label, value])
      }
    }
    const rows = await fileOf(project.id)
    const { body: screen } = await admin().call('report.questions', { project_id: project.id })
    const { data: listed } = (await admin().call('project.get', { id: project.id })).body
    expect([screen.rows, listed.completed]).toEqual([rows.length, rows.length])
    expect(await fileOf(project.id, { outcomes: 'all' })).toHaveLength(project === parent!.project ? 240 : 120)
  }
})

test('writing a report uses constant memory', { timeout: 60_000 }, async () => {
  const { project, survey } = await fresh(app)
  const questions = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      app.make.question({ survey_id: survey.id, name: `Question ${at}`, options: '[]', position: at + 1 }),
    ),
  )
  const answers = JSON.stringify(
    Object.fromEntries(questions.map(({ id }) => [id, 'An answer of some length, as people write them. '.repeat(4)])),
  )
  const ROWS = 12_000
  await app.write((tx) =>
    sql`insert into respondents (survey_id, respondent_id, project_id, outcome, at, cell, marital, children, answers)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(ROWS)})
      select ${sql.lit(survey.id)}, 'm' || (100000 + i), ${sql.lit(project.id)}, 'completes', '2026-10-01T12:00:00.000Z', 0, 0, 0, ${sql.lit(answers)} from n`.execute(
      tx,
    ),
  )
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1_048_576
  }
  const { files } = app.services
  const put = files.put
  const readings: number[] = []
  let written = 0
  files.put = (key, content, mime) => {
    const counted = async function* () {
      for await (const piece of content as AsyncIterable<string>) {
        if (Math.floor((written + piece.length) / 8_000_000) > Math.floor(written / 8_000_000)) readings.push(held())
        written += piece.length
        yield piece
      }
    }
    return put.call(files, key, Readable.from(counted()), mime)
  }
  const { body } = await admin().call('report.export', { project_id: project.id })
  const before = held()
  await app.services.jobs.settled(body.job_id, 60_000)
  files.put = put
  expect(written).toBeGreaterThan(40_000_000)
  expect(readings.length).toBeGreaterThanOrEqual(5)
  // The whole file has 46 MB; a page and the buffers are a few megabytes.
  expect(Math.max(...readings) - before).toBeLessThan(25)
})
