import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Output } from '../../contract/calls.ts'
import { type Answer, type Fieldwork, fieldwork } from './support.ts'
import { fresh, person, question, send } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const report = (answer: { body: unknown }) => (answer.body as Output<'runtime.ingest'>).data
const sendLines = (survey: number, text: string, query = '', type = 'application/x-ndjson') =>
  admin().raw('POST', `/v3/portal/surveys/runtime/${survey}/responses${query}`, text, { 'content-type': type })
const storedIn = async (survey: number) =>
  (
    await app.db
      .selectFrom('respondents')
      .select('respondent_id')
      .where('survey_id', '=', survey)
      .orderBy('respondent_id')
      .execute()
  ).map((row) => row.respondent_id)

describe('a batch', () => {
  test('names every unknown field with its count and a suggestion; the rows are kept', async () => {
    const { survey } = await fresh(app)
    const answer = await send(app, survey.id, [
      person({ agee: 3, gendr: 'female' }),
      person({ agee: 2 }),
      person({ colour: 'red' }),
    ])
    expect(answer.status).toBe(200)
    expect(report(answer)).toMatchObject({
      added: 3,
      refused: 0,
      warnings: [
        { field: 'agee', count: 2, message: 'agee is not a field of a respondent: did you mean age?' },
        { field: 'gendr', count: 1, message: 'gendr is not a field of a respondent: did you mean gender?' },
        { field: 'colour', count: 1, message: 'colour is not a field of a respondent' },
      ],
    })
    expect(answer.body.message).toContain('unknown fields: agee, gendr, colour')
  })

  test('with strict=1 refuses the rows with unknown fields', async () => {
    const { survey } = await fresh(app)
    const rows = [person({ agee: 3 }), person()]
    const answer = await admin().raw('POST', `/v3/portal/surveys/runtime/${survey.id}/responses?strict=1`, rows)
    expect(report(answer)).toMatchObject({ added: 1, refused: 1, warnings: [], errors: [{ row: 1, field: 'agee' }] })
  })

  test('keeps a position that another one is probably meant by, and names it', async () => {
    const { survey } = await fresh(app)
    const answer = await send(app, survey.id, [
      person({ latitude: 42.36, longitude: 71.06 }),
      person({ latitude: -71.06, longitude: 42.36 }),
      person({ latitude: 48.86, longitude: 2.35 }),
      person({ latitude: 42.36, longitude: -71.06 }),
    ])
    const message = '42.36, -71.06 is probably meant: no market area is near 42.36, 71.06'
    expect(report(answer)).toMatchObject({ added: 4, warnings: [{ field: 'latitude, longitude', count: 2, message }] })
    expect(answer.body.message).toContain(`; 2 rows have a doubtful position (${message})`)
    const stored = app.db.selectFrom('respondents').select('longitude').where('survey_id', '=', survey.id).orderBy('longitude')
    expect((await stored.execute()).map(({ longitude }) => longitude)).toEqual([-71.06, 2.35, 42.36, 71.06])
  })

  test('keeps ids as they were sent, and names those that can’t be kept', async () => {
    const { survey } = await fresh(app)
    const line = (id: Buffer | string) =>
      Buffer.concat([Buffer.from('{"outcome":"completes","respondent_id":'), Buffer.from(id), Buffer.from('}\n')])
    const lines = Buffer.concat([
      line('9007199254740993101'),
      line('1e21'),
      line(Buffer.from([0x22, 0x7a, 0xe9, 0x22])),
      line('".."'),
      line('"9007199254740993101"'),
      line('9007199254740991'),
      line('"zé"'),
    ])
    const answer = await admin().raw('POST', `/v3/portal/surveys/runtime/${survey.id}/responses`, lines, {
      'content-type': 'application/x-ndjson',
    })
    expect(report(answer)).toMatchObject({
      added: 3,
      refused: 4,
      errors: [
        { row: 1, field: 'respondent_id', message: 'respondent_id is too long for a number: send ids as text' },
        { row: 2, field: 'respondent_id', message: 'respondent_id is too long for a number: send ids as text' },
        { row: 3, message: 'line is not UTF-8' },
        { row: 4, field: 'respondent_id', message: 'respondent_id must not be . or .., which every address drops' },
      ],
    })
    expect(await storedIn(survey.id)).toEqual(['9007199254740991', '9007199254740993101', 'zé'])
    const whole = Buffer.from('{"rows":[{"outcome":"completes","respondent_id":"z\xe9"}]}', 'latin1')
    const refused = await admin().raw('POST', `/v3/portal/surveys/runtime/${survey.id}/responses`, whole, {
      'content-type': 'application/json',
    })
    expect([refused.status, refused.body.message]).toEqual([400, 'The body is not UTF-8.'])
  })

  test('takes a person in another form of Unicode as the same, and refuses an id that an address can’t hold', async () => {
    const { survey } = await fresh(app)
    await send(app, survey.id, [person({ respondent_id: 'Zo\u00eb' })])
    const again = await send(app, survey.id, [person({ respondent_id: 'Zoe\u0308' })])
    expect(report(again)).toMatchObject({ added: 0, repeated: 1 })
    // As an earlier release stored it.
    await app.db.updateTable('respondents').set({ respondent_id: 'Zoe\u0308' }).where('survey_id', '=', survey.id).execute()
    expect(report(await send(app, survey.id, [person({ respondent_id: 'Zo\u00eb' })]))).toMatchObject({ added: 0, repeated: 1 })
    const gone = await admin().call('runtime.withdraw', { surveyId: survey.id, respondentId: 'Zo\u00eb' })
    expect([gone.status, await storedIn(survey.id)]).toEqual([200, []])
    expect(report(await send(app, survey.id, [person({ respondent_id: 'Zo\u00eb' })]))).toMatchObject({ added: 0, withdrawn: 1 })
    const wrong = ['a/b', 'a\u0007b', 'a\u200bb', '\u202eab', '\ud800', 'x'.repeat(101), 1.5, '.']
    const answer = await send(
      app,
      survey.id,
      wrong.map((respondent_id) => person({ respondent_id })),
    )
    expect(report(answer)).toMatchObject({ added: 0, refused: wrong.length })
    expect(report(answer).errors.map(({ field }) => field)).toEqual(wrong.map(() => 'respondent_id'))
  })

  test('counts an answer that looks like an option as that option, also one that was stored as it was sent', async () => {
    const { survey } = await fresh(app)
    const options = JSON.stringify(['Café', 'New York'])
    const { id } = await app.make.question({ survey_id: survey.id, name: 'Where?', options })
    const typed = [
      'Café',
      'Cafe\u0301',
      'Caf\u00e9\u200b',
      'CAFÉ',
      'New York',
      'New\u00a0York',
      'New  York',
      'Elsewhere',
      'elsewhere ',
    ]
    await send(
      app,
      survey.id,
      typed.map((answer) => person({ answers: { [id]: answer } })),
    )
    const { body } = await admin().call('runtime.userResponses', { surveyId: survey.id, questions: [id] } as never)
    const [chart] = (body as Output<'runtime.userResponses'>).data
    const rows = chart!.rows.map(({ label, value }) => [label, value])
    expect(rows.slice(0, 2)).toEqual([
      ['Café', 4],
      ['New York', 3],
    ])
    expect(rows.slice(2).map(([label, value]) => [String(label).toLowerCase(), value])).toEqual([['elsewhere', 2]])
  })

  test('with dry=1 is checked and counted, and nothing is stored, announced or logged', async () => {
    const { project, survey } = await fresh(app)
    const known = person()
    await send(app, survey.id, [known])
    const before = await app.db.selectFrom('history').select('id').where('project_id', '=', project.id).execute()
    const twice = person()
    const lines = [known, twice, twice, person({ age: 99 })].map((row) => JSON.stringify(row)).join('\n')
    const answer = await sendLines(survey.id, lines, '?dry=1')
    expect(report(answer)).toMatchObject({ added: 1, repeated: 2, refused: 1, dry: true })
    expect(await storedIn(survey.id)).toEqual([known.respondent_id])
    const after = await app.db.selectFrom('history').select('id').where('project_id', '=', project.id).execute()
    expect(after).toEqual(before)
  })

  test('lists all errors of a row at once, by its line in the file and its id', async () => {
    const { survey } = await fresh(app)
    const bad = { respondent_id: 'r-9', outcome: 'foo', age: 34, gender: 'x', ip: 'zzz', answers: { 77: 'a', 78: 'b' } }
    const text = `\n${JSON.stringify(person())}\n\n\n${JSON.stringify(bad)}\nnot JSON\n`
    const { errors, refused } = report(await sendLines(survey.id, text))
    expect(refused).toBe(2)
    expect(errors.map(({ row, respondent_id, field }) => [row, respondent_id, field])).toEqual([
      [5, 'r-9', 'outcome'],
      [5, 'r-9', 'age'],
      [5, 'r-9', 'gender'],
      [5, 'r-9', 'answers.77'],
      [5, 'r-9', 'answers.78'],
      [5, 'r-9', 'ip'],
      [6, null, 'line'],
    ])
    expect(errors[1]!.message).toContain('for 34 years send 3, of 1 (13 to 17), 2 (18 to 24), 3 (25 to 34)')
  })

  test('without a valid row is a 422 with the report', async () => {
    const { survey } = await fresh(app)
    const answer = await send(app, survey.id, [person({ age: 99 }), { outcome: 'completes' }])
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'all_refused', message: '0 respondents added, 0 already known, 2 refused.' })
    expect(report(answer)).toMatchObject({ added: 0, refused: 2, errors: [{ row: 1, field: 'age' }, { row: 2 }] })
  })

  test('names the first thousand errors and counts the rest', async () => {
    const { survey } = await fresh(app)
    const lines = Array.from({ length: 3000 }, () => JSON.stringify({ outcome: 'foo' })).join('\n')
    const { errors, refused } = report(await sendLines(survey.id, lines))
    expect([errors.length, refused]).toEqual([1000, 3000])
  })

  test.each(['application/ndjson', 'application/jsonl', 'application/x-ndjson; charset=utf-8'])(
    'is accepted as %s',
    async (type) => {
      const { survey } = await fresh(app)
      expect(report(await sendLines(survey.id, `${JSON.stringify(person())}\n`, '', type)).added).toBe(1)
    },
  )

  test('is documented field by field with the API', async () => {
    const { paths, components } = (await admin().raw('GET', '/openapi.json')).body as never as {
      paths: Record<
        string,
        Record<
          string,
          { parameters: { name?: string; $ref?: string }[]; requestBody: { content: Record<string, { schema: unknown }> } }
        >
      >
      components: { schemas: Record<string, unknown> }
    }
    const { requestBody, parameters } = paths['/v3/portal/surveys/runtime/{surveyId}/responses']!.post!
    expect(Object.keys(requestBody.content)).toEqual(['application/json', 'application/x-ndjson'])
    expect(JSON.stringify(requestBody.content)).toContain('#/components/schemas/Respondent')
    expect(JSON.stringify(components.schemas.Respondent)).toContain('1 is 13 to 17')
    // A batch is counted once by its respondents' ids, under any key.
    expect(parameters).not.toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' })
  })
})

describe('a large upload', () => {
  const addressPrefix = (id: string) => `${JSON.stringify(person({ respondent_id: id }))}\n`

  test('is read line by line, wherever it is split, with one line of history', async () => {
    const { project, survey } = await fresh(app)
    const ids = Array.from({ length: 4234 }, (_, at) => `ü-${String(at).padStart(5, '0')}`)
    const answer = await sendLines(survey.id, ids.map(addressPrefix).join(''))
    expect(report(answer)).toMatchObject({ added: 4234, refused: 0 })
    expect(await storedIn(survey.id)).toEqual([...ids].sort())
    const lines = await app.db.selectFrom('history').select('after').where('project_id', '=', project.id).execute()
    expect(lines.map(({ after }) => JSON.parse(after))).toEqual([{ added: 4234, repeated: 0, errors: 0 }])
  })

  test('that breaks off keeps what was committed, and counts nothing twice when resent', async () => {
    const { survey } = await fresh(app)
    await app.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.app.server.address() as AddressInfo
    const ids = Array.from({ length: 5000 }, (_, at) => `cut-${String(at).padStart(5, '0')}`)
    const path = `/v3/portal/surveys/runtime/${survey.id}/responses`
    const headers = { ...admin().headers, 'content-type': 'application/x-ndjson' }
    const torn = request({ port, host: '127.0.0.1', path, method: 'POST', headers })
    torn.on('error', () => {})
    onTestFinished(() => void torn.destroy())
    torn.write(ids.slice(0, 4200).map(addressPrefix).join(''))
    await expect.poll(async () => (await storedIn(survey.id)).length).toBe(4000)
    const closed = new Promise((resolve) => torn.once('close', resolve))
    torn.destroy()
    await closed
    const answer = await sendLines(survey.id, ids.map(addressPrefix).join(''))
    expect(report(answer)).toMatchObject({ added: 1000, repeated: 4000 })
    const { delivered } = (await admin().call('runtime.summary', { surveyId: survey.id })).body.data
    expect(delivered).toBe(5000)
  })

  test('isn’t held in memory: the server reads no faster than it writes', async () => {
    const { survey } = await fresh(app)
    if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.app.server.address() as AddressInfo
    const path = `/v3/portal/surveys/runtime/${survey.id}/responses?dry=1`
    const headers = { ...admin().headers, 'content-type': 'application/x-ndjson' }
    const upload = request({ port, host: '127.0.0.1', path, method: 'POST', headers })
    const answered = once(upload, 'response')
    const padding = 'x'.repeat(900)
    const before = process.memoryUsage().rss
    let most = 0
    for (let at = 0; at < 40_000; at++) {
      const wrote = upload.write(`${JSON.stringify({ respondent_id: `m${at}`, outcome: 'completes', note: padding })}\n`)
      if (!wrote) await once(upload, 'drain')
      if (at % 1000 === 0) most = Math.max(most, process.memoryUsage().rss)
    }
    upload.end()
    const [response] = (await answered) as [import('node:http').IncomingMessage]
    const text = (await response.setEncoding('utf8').toArray()).join('')
    expect(report({ body: JSON.parse(text) as unknown } as Answer)).toMatchObject({ added: 40_000 })
    // 38 MB of text; reading and parsing it as a whole took several times that.
    expect((most - before) / 1_048_576).toBeLessThan(150)
  }, 60_000)

  test('can’t contain an endless line', async () => {
    const { survey } = await fresh(app)
    const long = JSON.stringify(person({ note: 'x'.repeat(300_000) }))
    const { errors, added } = report(await sendLines(survey.id, `${long}\n${JSON.stringify(person())}`))
    expect([added, errors.map(({ row, message }) => [row, message])]).toEqual([1, [[1, 'line is longer than 256 KB']]])
  })
})

test('questions are named by their ids', async () => {
  const { survey } = await fresh(app)
  const { id } = await question(app, survey.id)
  expect((await admin().call('runtime.intake', { surveyId: survey.id })).body.data).toMatchObject({
    id: survey.id,
    questions: [{ id, name: 'Which snack?', options: ['Chips', 'Nuts'] }],
  })
})
