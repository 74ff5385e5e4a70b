import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Field, Fields } from '../../contract/fieldKinds.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { exampleOf } from '../../contract/fieldWords.ts'
import type { Subject } from '../../src/commands/subject.ts'
import { commandIds, commandOf } from '../support/commands.ts'
import { madeOf, serviceOf } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { apiOf, does, undoes } from './undoing.ts'

// Several records get the same value of a field: of every noun and field that the tables offer.

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
let steps: number[] = []
afterEach(() => {
  steps = []
})

type Noun = 'partner'
const nouns = commandIds().flatMap((id) => (id.endsWith('.editField') ? [id.split('.')[0] as Noun] : []))
const commandOn = (noun: Noun) => commandOf(`${noun}.editField`)
const fieldsOf = (noun: Noun): Fields => fieldTables[noun]!
const offered = (noun: Noun): string[] => {
  const { field } = commandOn(noun).asks!
  return field?.type === 'option' ? (field.options as readonly { value: string }[]).map(({ value }) => value) : []
}

/** What a record needs so that a field applies to it. */
const APPLIES: Readonly<Record<string, object>> = {
  'activity.action_type': { activity_type: 'photo', action_type: 'photo' },
  'activity.social_type': { activity_type: 'social' },
  'activity.social_link': { activity_type: 'social' },
  'activity.social_text': { activity_type: 'social' },
  'survey.survey_vendor': { survey_vendor: 'confirmit', vendor_survey_id: 'sv_17' },
  'notification.url': { message_action: 'web', url: 'https://fieldwork.test/' },
}
/** Values of single fields; the others have that of their kind. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  'activity.action_type': 'comment',
  'activity.social_type': 'facebook',
  'project.start_dt': '2026-01-02',
  'activity.start_dt': '2026-01-02',
  'brand.start_dt': '2025-01-02',
  'service.start_dt': '2025-01-02',
  'user.birth_date': '1985-03-04',
  'reward.amount': 2500,
  'reward.partner_id': '600',
  'notification.message_action': 'map',
  'question.answer_type': 'multiple',
}
const DAY = '2031-03-04'
function answerFor(noun: Noun, name: string, field: Field): unknown {
  const own = ANSWERS[`${noun}.${name}`]
  if (own !== undefined) return own
  switch (field.kind) {
    case 'choice':
      return String(field.options.findLast(({ value }) => value !== '')!.value)
    case 'day':
      return DAY
    case 'integer':
      return 12
    case 'lines':
      return 'Often\nNever'
    case 'email':
      return 'all@fieldwork.test'
    case 'phone':
      return '2125550177'
    case 'url':
      return 'https://fieldwork.test/all'
    default:
      return exampleOf(field) ?? 'As all of them'
  }
}
const project = async () => (await app.make.project({ client_id: app.client.id })).id
const survey = async () => (await app.make.survey({ project_id: await project() })).id
const plain = (noun: string) => async () => (await madeOf(app, noun))!.id
/** How a record of each noun is made. */
const MADE: Readonly<Record<string, () => Promise<number>>> = {
  project,
  survey,
  activity: async () => (await app.make.activity({ project_id: await project(), activity_type: 'survey' })).id,
  question: async () => (await app.make.question({ survey_id: await survey() })).id,
  service: async () => (await serviceOf(app)).id,
  user: async () => (await app.make.user()).id,
  ...Object.fromEntries(['reward', 'partner', 'location', 'brand', 'notification'].map((noun) => [noun, plain(noun)])),
}
async function subjectsOf(noun: Noun, name: string): Promise<Subject[]> {
  const by = app.as('admin')
  const one = async (): Promise<Subject> => {
    const id = await MADE[noun]!()
    const more = APPLIES[`${noun}.${name}`]
    if (more) expect((await by.call(`${noun}.edit`, { id, ...more } as never)).status).toBe(200)
    return { kind: noun, id, name: `${noun} ${id}` }
  }
  return [await one(), await one()]
}
const read = async (noun: Noun, { id }: Subject) =>
  (await app.as('admin').call(`${noun}.get`, { id })).body.data as unknown as Record<string, unknown>
/** A record without what every write changes. */
const withoutStamps = ({ lock_version: _, updated_at: __, changed_by: ___, ...record }: Record<string, unknown>) =>
  JSON.stringify(record)

describe('one field of several records', () => {
  for (const noun of nouns)
    test(`of each ${noun}: every offered field is written by one command and undone`, async () => {
      const by = app.as('admin')
      const wrong: string[] = []
      for (const name of offered(noun)) {
        const field = fieldsOf(noun)[name]!
        const subjects = await subjectsOf(noun, name)
        const before = await Promise.all(subjects.map((one) => read(noun, one)))
        const answers = { field: name, [name]: answerFor(noun, name, field) }
        const { able } = await commandOn(noun).prepare!(apiOf(by, { steps }), subjects)
        const skipped = able.map((one) => commandOn(noun).excludes!(one, answers as never))
        const made = await does(by, `${noun}.editField`, { subjects, answers })
        const after = await Promise.all(subjects.map((one) => read(noun, one)))
        const column = field.kind === 'money' ? field.column : name
        const [first, second] = after.map((record) => JSON.stringify(record[column]))
        if (skipped.some(Boolean) || made.length !== 2 || first !== second || first === JSON.stringify(before[0]![column]))
          wrong.push(`${name}: ${skipped} ${made.length} ${JSON.stringify(before[0]![column])} ${first} ${second}`)
        await undoes(by, made)
        const back = await Promise.all(subjects.map((one) => read(noun, one)))
        if (back.map(withoutStamps).join() !== before.map(withoutStamps).join())
          wrong.push(`${name}: ${before.map(withoutStamps)} became ${back.map(withoutStamps)}`)
      }
      expect(wrong).toEqual([])
    }, 120_000)
})

test('the review says for each record what changes, or why the server refuses it; a changed one is refused', async () => {
  const by = app.as('admin')
  const project = (more: object) => app.make.project({ client_id: app.client.id, start_dt: '2026-03-01', ...more })
  const given = [await project({ end_dt: '2026-04-01' }), await project({ end_dt: '2026-04-02', start_dt: '2026-06-01' })]
  const rows: Subject[] = given.map(({ id, name }) => ({ kind: 'project', id, name }))
  const command = commandOf('project.editField')
  const api = apiOf(by, { steps })
  const { able } = await command.prepare!(api, rows)
  const answers = { field: 'end_dt', end_dt: '2026-05-01' }
  const review = await command.foresees!({ api, subjects: able, answers: answers as never, signal: new AbortController().signal })
  expect(review!.lines).toEqual([
    expect.objectContaining({ value: 'Apr 1, 2026 → May 1, 2026' }),
    expect.objectContaining({ bad: true, value: expect.stringMatching(/start/i) }),
  ])
  expect(review!.body).toBe('1 of 2 is refused and stays as it is.')
  // Somebody changes the first one after it was read.
  await by.call('project.edit', { id: rows[0]!.id, goal: 77 })
  const late = await command.foresees!({ api, subjects: able, answers: answers as never, signal: new AbortController().signal })
  expect(late!.body).toBe('2 of 2 are refused and stay as they are.')
  expect((await by.call('project.get', { id: rows[0]!.id })).body.data.end_dt).toBe('2026-04-01')
  expect(steps).toEqual([])
})

test('a record that is gone is left out with the reason', async () => {
  const { id } = await app.make.partner()
  const subjects: Subject[] = [
    { kind: 'partner', id, name: 'There' },
    { kind: 'partner', id: 999_999, name: 'Gone' },
  ]
  const { able, left } = await commandOf('partner.editField').prepare!(apiOf(app.as('admin'), { steps }), subjects)
  expect(able.map((one) => one.id)).toEqual([id])
  expect(left).toEqual([{ subject: subjects[1], reason: 'This partner was not found.' }])
})
