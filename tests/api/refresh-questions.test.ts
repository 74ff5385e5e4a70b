import { beforeAll, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'
import { person, send } from './surveyed.ts'
import { upload } from './uploading.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
let serial = 0
/** A survey with this file as its data map. */
async function mapped(content: string | Buffer, name = 'map.csv') {
  const { id: project_id } = await app.make.project({ client_id: app.client.id })
  const storage_key = `uploads/test-map-${++serial}`
  await app.services.files.put(storage_key, content, 'text/csv')
  const file = await app.make.file({ project_id, storage_key, original_name: name, uploaded_by: app.admin.id })
  return (await app.make.survey({ project_id, source_file_id: file.id })).id
}
const MAP =
  'Key,Question,Type,Answers\r\nq1,Which snack?,Single,Chips|Nuts\r\nq2,"Why, and ""when""?",Open,\r\nq3,Which ones?,Multiple,Chips|Nuts|Both\r\n'
const asked = async (id: number, filter = '') =>
  (await admin().call('question.list', { id, filter: filter as '' })).body.data.map((one) => [
    one.order,
    one.vendor_key,
    one.name,
  ])
const comparison = async (id: number) => (await admin().call('survey.comparison', { id })).body.data
const apply = async (id: number) => admin().call('survey.applyComparison', { id, digest: (await comparison(id)).digest })

test('a survey without a source is refused before a job begins', async () => {
  const { id: project_id } = await app.make.project({ client_id: app.client.id })
  const { id } = await app.make.survey({ project_id })
  const answer = await admin().call('survey.refresh', { id })
  expect([answer.status, answer.body.message]).toEqual([
    422,
    'This survey has no question source. Attach a data map or paste questions.',
  ])
})
test('the job counts the differences and writes nothing; the comparison applies them in one write', async () => {
  const id = await mapped(MAP)
  const { body } = await admin().call('survey.refresh', { id })
  const job = await app.services.jobs.settled(body.data.id, 20_000)
  expect([job.status, JSON.parse(job.result)]).toMatchObject(['done', { survey_id: id, added: 3, changed: 0, gone: 0 }])
  expect(await asked(id)).toEqual([])
  const { digest, differences, source } = await comparison(id)
  expect([source, differences.map(({ kind, changes }) => [kind, ...changes])]).toEqual([
    'map.csv',
    [
      ['added', 'Single, 2 answers'],
      ['added', 'Open'],
      ['added', 'Multiple, 3 answers'],
    ],
  ])
  const answer = await admin().call('survey.applyComparison', { id, digest })
  expect(answer.body.message).toBe('Questions refreshed: 3 added.')
  expect(await asked(id)).toEqual([
    [1, 'q1', 'Which snack?'],
    [2, 'q2', 'Why, and "when"?'],
    [3, 'q3', 'Which ones?'],
  ])
  expect((await admin().call('survey.get', { id })).body.data.refreshed_at).toEqual(expect.any(String))
  await admin().call('undo.take', { id: Number(answer.headers['x-undo']) })
  expect(await asked(id)).toEqual([])
})
test('questions match by key, then by text; missing ones are deleted or retired, manually added ones stay', async () => {
  const id = await mapped(MAP)
  const { project_id } = (await admin().call('survey.get', { id })).body.data
  let order = 0
  const add = (more: object) =>
    admin().call('question.create', { survey_id: id, name: 'By hand', options: ['Yes', 'No'], order: ++order, ...more })
  await add({ name: 'which  SNACK?', options: ['Chips', 'Seeds'] })
  await add({})
  const gone = (await add({ name: 'Old', vendor_key: 'q8' })).body.data
  const answered = (await add({ name: 'Old, but answered', vendor_key: 'q9' })).body.data
  await send(app, id, [person({ answers: { [answered.id]: 'Yes' } })])
  const { differences } = await comparison(id)
  expect(differences.map(({ kind, name, changes }) => [kind, name, changes])).toEqual([
    ['changed', 'which  SNACK?', ['text: “Which snack?”', 'answers: 1 new, 1 gone', 'key: q1']],
    ['added', 'Why, and "when"?', ['Open']],
    ['added', 'Which ones?', ['Multiple, 3 answers']],
    ['gone', 'Old', []],
    ['gone', 'Old, but answered', []],
  ])
  expect((await apply(id)).body).toMatchObject({ added: 2, changed: 1, gone: 2 })
  expect(await asked(id)).toEqual([
    [1, 'q1', 'Which snack?'],
    [2, 'q2', 'Why, and "when"?'],
    [3, 'q3', 'Which ones?'],
    [4, '', 'By hand'],
  ])
  expect(await asked(id, 'retired')).toMatchObject([[expect.any(Number), 'q9', 'Old, but answered']])
  expect((await admin().call('question.get', { id: gone.id })).status).toBe(404)
  expect((await comparison(id)).differences).toEqual([])
  expect(project_id).toBeGreaterThan(0)
})
test('a comparison is refused if the questions changed since', async () => {
  const id = await mapped(MAP)
  const { digest } = await comparison(id)
  await admin().call('question.create', { survey_id: id, name: 'Meanwhile', order: 1 })
  const answer = await admin().call('survey.applyComparison', { id, digest })
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'The questions or their source have changed in the meantime. Refresh again.',
  ])
})
test('a question that moves says so; those it passes do not', async () => {
  const id = await mapped(MAP)
  await apply(id)
  const [one, two, three] = (await admin().call('question.list', { id })).body.data.map((question) => question.id)
  await admin().call('question.reorder', { id, ids: [three!, one!, two!] })
  expect((await comparison(id)).differences.map(({ id: question, changes }) => [question, changes])).toEqual([
    [three, ['order: 1 → 3']],
  ])
})
test.each([
  ['map.json', JSON.stringify({ questions: [{ key: 'q1', text: 'Which?', type: 'single', answers: ['Yes', { label: 'No' }] }] })],
  ['map.txt', 'Key\tQuestion\tAnswers\nq1\tWhich?\tYes|No\n'],
  ['map.csv', 'Key,Question,Answers,Count\nq1,Which?,Yes|No,#N/A\n'],
])('a data map may be %s', async (name, content) => {
  const id = await mapped(content, name)
  expect((await apply(id)).status).toBe(200)
  expect(await asked(id)).toEqual([[1, 'q1', 'Which?']])
})
test('a workbook of our own can be read back', async () => {
  const made = await mapped(MAP)
  await apply(made)
  const { body } = await admin().call('export.start', { source: 'questions', filter: { id: made }, format: 'xlsx' })
  const job = await app.services.jobs.settled(body.data.id, 20_000)
  const { file_id } = JSON.parse(job.result) as { file_id: number }
  const { storage_key } = await app.db
    .selectFrom('files')
    .select('storage_key')
    .where('id', '=', file_id)
    .executeTakeFirstOrThrow()
  const parts: Buffer[] = []
  for await (const part of await app.services.files.read(storage_key)) parts.push(part as Buffer)
  const id = await mapped(Buffer.concat(parts), 'map.xlsx')
  const answer = await apply(id)
  expect(answer.status, answer.text).toBe(200)
  expect(await asked(id)).toEqual(await asked(made))
})
test('a survey’s data map can also be uploaded as JSON', async () => {
  const { id: project_id } = await app.make.project({ client_id: app.client.id })
  const map = Buffer.from('[{"key":"q1","question":"Which snack?","answers":["Chips","Nuts"]},{"key":"q2","question":"Why?"}]')
  const sent = (asset_type: string, content = map) =>
    upload(admin(), [['map.json', content]], { project_id, asset_type }, '/v3/portal/documents')
  const { body, text } = await sent('Survey Document')
  const { id } = await app.make.survey({ project_id, source_file_id: body.data?.[0]?.id ?? null })
  const answer = await apply(id)
  expect(answer.status, text + answer.text).toBe(200)
  expect((await asked(id)).map(([, key, name]) => [key, name])).toEqual([
    ['q1', 'Which snack?'],
    ['q2', 'Why?'],
  ])
  expect((await sent('Creative Assets')).body.message).toMatch(
    /^Invalid file type\. {2}File must be one of following types jpg, /,
  )
  expect((await sent('Survey Document', Buffer.from('no json'))).body.message).toBe('map.json is not a json file by its content')
})
test.each([
  ['map.pdf', '%PDF-', '“map.pdf” isn’t a data map. Choose a CSV, XLSX or JSON file.'],
  ['map.json', '{', 'The data map isn’t valid JSON.'],
  [
    'map.json',
    '[{"key":9007199254740993,"text":"Which?"}]',
    'The data map has a number of more than 15 digits. Write it as text.',
  ],
  ['map.xlsx', 'PK\u0003\u0004 no workbook', 'The workbook can’t be read.'],
  ['map.csv', 'Question,Answers\nWhich?,Yes\n', '“map.csv”, row 1: A single or multiple choice needs two answers.'],
  ['map.csv', 'Question\n', '“map.csv” has no questions.'],
  [
    'map.csv',
    'Question,Answers\nWhich?,Yes|No\n#NAME?,Yes|No\n',
    '“map.csv”, line 3: A cell has the spreadsheet’s error #NAME?.',
  ],
])('%s that can’t be read is refused', async (name, content, sentence) => {
  const answer = await admin().call('survey.refresh', { id: await mapped(content, name) })
  expect([answer.status, answer.body.message]).toEqual([422, sentence])
})
