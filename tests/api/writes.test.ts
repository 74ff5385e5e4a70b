import { beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { namesOf } from '../../server/core/input.ts'
import { engine } from '../support/engine.ts'
import { type Maker, sendExample, WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { requestOf } from './calling.ts'
import { everything, recordOf } from './kept.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { testAll, WHOLE_TABLE, wrongIn } from './wrong.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
})
const rowOf = (id: CallId) => calls[id] as Call
const example = (id: CallId) => (WRITE_EXAMPLES[id] as Maker)(app)
const ignoredOf = (answer: { body: unknown }) => (answer.body as { ignored?: string[] }).ignored

/** TABLE  writes that look like edits of a record but aren't, with the reason. */
const NO_EDIT: Partial<Record<CallId, string>> = {
  'session.setPassword': 'a password is no field that anything answers',
  'session.setPasswordSettlers': 'a password is no field that anything answers',
  'session.register': 'it makes an account of an invitation',
  'session.requestAccount': 'it writes a mail',
  'project.setCost': 'a price is asked for by another name than it is read (tests/api/price.test.ts)',
  'project.setStatus': 'it moves a project, which is where it is already (tests/api/project.test.ts)',
  'project.setOwner': 'it always names its one value (tests/api/desk-commands.test.ts)',
  'project.follow': 'it is the caller’s own, beside the record (tests/api/followers.test.ts)',
  'project.assign': 'it decides (tests/api/price.test.ts)',
  'project.approve': 'it decides (tests/api/price.test.ts)',
  'project.reject': 'it decides (tests/api/price.test.ts)',
  'campaign.authorize': 'it decides (tests/api/price.test.ts)',
  'category.check': 'it ticks one of a list (tests/api/category.test.ts)',
  'category.set': 'it names a whole list (tests/api/category.test.ts)',
  'question.reorder': 'it names a whole order (tests/api/questions.test.ts)',
  'import.correct': 'a line that was corrected is no error any more (tests/api/import.test.ts)',
  'import.map': 'it says how a file is read, which its reading shows as a preview (tests/api/import.test.ts)',
  'survey.refresh': 'it starts a job (tests/api/refresh-questions.test.ts)',
  'survey.applyComparison': 'it applies what was compared (tests/api/refresh-questions.test.ts)',
  'quota.cells': 'it names cells of a plan (tests/api/quota.test.ts)',
  'client.setApprovers': 'it names a whole list (tests/api/approvers.test.ts)',
  'invitation.edit': 'what partners see is read with the quote, by other names (tests/api/partner-news.test.ts)',
  'runtime.correct': 'it says a respondent anew as a whole, and nothing reads one (tests/api/correct.test.ts)',
}
const mayEdit = WRITES.filter((id) => rowOf(id).reads || rowOf(id).method === 'PUT')
/** Writes that change a record's fields. */
const EDITS = mayEdit.filter((id) => !NO_EDIT[id])

test('every call that may edit a record says which, or is listed above with a reason', () => {
  expect(EDITS.filter((id) => !rowOf(id).reads)).toEqual([])
  expect(Object.keys(NO_EDIT).filter((id) => !mayEdit.includes(id as CallId))).toEqual([])
})

/** TABLE  writes without a line of history, with the reason. */
const UNRECORDED: Partial<Record<CallId, string>> = {
  'session.requestAccount': 'it writes a mail, which the Outbox keeps',
  'account.endOtherSessions': 'the example has no other session (tests/api/account-security.test.ts)',
  'organization.testMail': 'it writes a mail to its sender',
  'outbox.reveal': 'the example’s mail has no secret (tests/api/secret-mail.test.ts)',
  'webhook.test': 'the webhook’s own list keeps what was sent',
  'webhook.replayFailed': 'the webhook’s own list keeps what was sent',
  'invitation.opened': 'the invitation keeps when it was opened',
  'invitation.requestLink': 'it writes a mail, which the Outbox keeps',
  'notice.mark': 'what somebody has read is their own affair',
  'usage.record': 'it counts keys',
  'snapshot.create': 'a shared workspace is kept for good, and never changed',
  'quota.admit': 'its plan keeps every decision',
  'fieldSession.outcome': 'its session keeps every step',
  'fieldSession.seen': 'its session keeps when somebody was seen',
  'entryLink.test': 'it only answers what it was sent',
  'import.map': 'the import itself keeps how its file is read',
  ...Object.fromEntries(
    ['request.check', 'target.check', 'location.find', 'service.readVenues'].map((id) => [
      id,
      'it only answers what it was sent',
    ]),
  ),
  ...Object.fromEntries(
    ['reward.importErrors', 'import.errors', 'file.link', 'job.link'].map((id) => [id, 'it only makes a file or its address']),
  ),
}
/** Those of them that change nothing which another workspace shows, or tell it later. */
const UNTOLD: readonly CallId[] = [
  'account.endOtherSessions',
  'organization.testMail',
  'outbox.reveal',
  'quota.admit',
  'entryLink.test',
  'fieldSession.outcome',
  'fieldSession.seen',
  'request.check',
  'invitation.opened',
  'invitation.requestLink',
  'import.errors',
  'file.link',
  'job.link',
  'location.find',
  'service.readVenues',
  'snapshot.create',
  'target.check',
  'usage.record',
]

test('every write accepts its example, leaves a line of history and tells open workspaces', {
  timeout: WHOLE_TABLE,
}, async () => {
  const last = async (table: 'history' | 'events') =>
    (await app.db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0
  const without = { history: [] as CallId[], events: [] as CallId[] }
  const wrong = await wrongIn(WRITES, async (id) => {
    expect(WRITE_EXAMPLES[id], 'an example in tests/support/writeExamples.ts').toBeDefined()
    const made = await example(id)
    const before = { history: await last('history'), events: await last('events') }
    const answer = await sendExample(id, made)
    expect(answer.status, answer.text).toBe(200)
    expect(ignoredOf(answer)).toBeUndefined()
    for (const table of ['history', 'events'] as const) if ((await last(table)) === before[table]) without[table].push(id)
  })
  expect(wrong, wrong.join('\n')).toEqual([])
  // Jobs of earlier examples may add lines and events meanwhile.
  expect(without.history.filter((id) => !UNRECORDED[id])).toEqual([])
  expect(without.events.filter((id) => !UNTOLD.includes(id))).toEqual([])
  const listed = app.db.selectFrom('history').select('action').where('action', 'in', Object.keys(UNRECORDED))
  expect(await listed.execute()).toEqual([])
})

/** Writes whose version is of something that their example doesn’t have yet: an answer, or a quote. */
const OTHER_VERSIONS: readonly CallId[] = ['proffer.create', 'proffer.quote', 'project.assign']
const VERSIONED = WRITES.filter((id) => namesOf(rowOf(id).input).includes('lock_version') && !OTHER_VERSIONS.includes(id))
testAll('a write that read another version of its record is refused as stale, and changes nothing', VERSIONED, async (id) => {
  const made = await example(id)
  const before = await everything(app)
  const answer = await sendExample(id, made, { lock_version: 4711 })
  expect([answer.status, answer.body.code], answer.text).toEqual([409, 'stale'])
  expect(await everything(app)).toEqual(before)
})

// Names are checked before the database is used, so one engine is enough.
describe.runIf(engine === 'sqlite')('an unknown name', () => {
  // Signing out ignores its body and always ends the session.
  // What makes a credential refuses it (tests/api/unknown-names.test.ts).
  const reading = WRITES.filter((id) => id !== 'session.signOut' && (!rowOf(id).credential || rowOf(id).credential!.extras))
  testAll('is listed in the response’s ignored', reading, async (id) => {
    const answer = await sendExample(id, await example(id), { colour_of_the_sky: 'blue' })
    expect(answer.status, answer.text).toBe(200)
    expect(ignoredOf(answer)).toEqual(['colour_of_the_sky'])
  })

  const wrapped = reading.filter((id) => rowOf(id).wraps)
  testAll('is found inside the body’s wrapper object', wrapped, async (id) => {
    const { input, as } = await example(id)
    const { method, url, body } = requestOf(id, input)
    const answer = await as.raw(method, url, { [rowOf(id).wraps!]: { ...(body as object), colour_of_the_sky: 'blue' }, out: 1 })
    expect(answer.status, answer.text).toBe(200)
    expect(ignoredOf(answer)!.sort()).toEqual(['colour_of_the_sky', 'out'])
  })

  test('is documented for every write’s response', async () => {
    const document = (await app.as('stranger').raw('GET', '/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { operationId: CallId; responses: { 200: { content: object } } }>>
    }
    const documented = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .filter((one) => JSON.stringify(one.responses[200].content).includes('"ignored"'))
    expect(documented.map((one) => one.operationId).sort()).toEqual(WRITES.filter((id) => rowOf(id).as !== 'stream').sort())
  })
})

describe('an edit', () => {
  testAll('sent back as read changes nothing', EDITS, async (id) => {
    const made = await example(id)
    const record = await recordOf(id, made)
    const before = await everything(app)
    const { method, url, body } = requestOf(id, { ...made.input })
    const address = Object.fromEntries(Object.entries(body as object).filter(([name]) => /(^|_)id$/.test(name)))
    const answer = await made.as.raw(method, url, { ...record, ...address })
    expect(answer.status, answer.text).toBe(200)
    expect(ignoredOf(answer)).toBeUndefined()
    expect(await everything(app)).toEqual(before)
  })

  testAll('without a known field is refused', EDITS, async (id) => {
    const { input, as } = await example(id)
    const fields = Object.keys(input).filter((name) => !/(^|_)id$/.test(name))
    const withoutFields = Object.fromEntries(Object.entries(input).filter(([name]) => !fields.includes(name)))
    const { method, url, body } = requestOf(id, withoutFields)
    const before = await everything(app)
    const answer = await as.raw(method, url, { ...(body as object), colour_of_the_sky: 'blue' })
    expect(answer.status, answer.text).toBe(422)
    expect(await everything(app)).toEqual(before)
  })

  const READ_ONLY: readonly (readonly [CallId, string, unknown])[] = [
    ['project.edit', 'completed', 4711],
    ['project.edit', 'cost_cents', 99_999],
    ['project.edit', 'client_name', 'Somebody else'],
    ['project.edit', 'created_at', '2020-01-01T00:00:00.000Z'],
    ['campaign.edit', 'cost', 99],
    ['campaign.edit', 'completed', 4711],
    ['campaign.editProject', 'company_name', 'Somebody else'],
    ['project.approve', 'name', 'Another project'],
    ['project.reject', 'description', 'Something else'],
    ['project.assign', 'name', 'Another project'],
    ['user.edit', 'last_seen_at', '2020-01-01T00:00:00.000Z'],
    ['user.editOlder', 'age', 7],
    ['account.edit', 'pending_email', 'other@mail.test'],
    ['user.edit', 'pending_email', 'other@mail.test'],
    ['organization.edit', 'public_url', 'http://elsewhere.test'],
    ['client.edit', 'projects_count', 4711],
    ['client.editLocationGroup', 'locations_count', 4711],
    ['partner.edit', 'proffers_count', 4711],
    ['partner.edit', 'answer_rate', 99],
    ['note.edit', 'author', 'Somebody Else'],
    ['view.edit', 'owner_name', 'Somebody Else'],
    ['view.edit', 'screen', 'clients'],
  ]
  testAll('refuses what is only read by name, and writes nothing else either', READ_ONLY, async ([id, name, value]) => {
    const made = await example(id)
    const before = await everything(app)
    const answer = await sendExample(id, made, { [name]: value })
    expect([answer.status, Object.keys(answer.body.fields ?? {})], answer.text).toEqual([422, [name]])
    expect(await everything(app)).toEqual(before)
  })

  test('of an older version gets that error first', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    const record = (await app.as('admin').call('project.get', { id })).body.data
    await app.as('admin').call('project.edit', { id, name: 'Somebody was quicker' })
    const answer = await app.as('admin').raw('PUT', '/v3/portal/projects', { ...record, name: 'Mine' })
    expect([answer.status, answer.body.code]).toEqual([409, 'stale'])
  })

  test('accepts a record’s fields in any spelling', async () => {
    const { id, start_dt } = await app.make.project({ client_id: app.client.id, cost_cents: 150_000 })
    const [year, month, day] = start_dt!.split('-')
    const answer = await app.as('admin').raw('PUT', '/v3/portal/projects', {
      id,
      start_dt: `${month}/${day}/${year}`,
      cost_cents: '150000',
      quote_valid_until: '',
      start_dateP: start_dt,
    })
    expect(answer.status, answer.text).toBe(200)
  })

  test('of a record that breaks today’s rules keeps it, and changes the other fields', async () => {
    const user = await app.make.user({ status: 'invited', first_name: '', last_name: '', phone: '' })
    const record = (await app.as('admin').call('user.get', { id: user.id })).body.data
    const answer = await app.as('admin').call('user.edit', { ...record, first_name: 'Nora' })
    expect([answer.status, answer.body.data?.first_name], answer.text).toEqual([200, 'Nora'])
    const bare = await app.make.project({
      client_id: app.client.id,
      start_dt: null,
      end_dt: null,
      ordered: 0,
      status: 'requirements',
    })
    const project = (await app.as('admin').call('project.get', { id: bare.id })).body.data
    const edited = await app.as('admin').raw('PUT', '/v3/portal/projects', { ...project, name: 'Named' })
    expect([edited.status, (edited.body as { data?: { name: string } }).data?.name], edited.text).toEqual([200, 'Named'])
  })
})

test('a read named by a write only reads, and finds the record by the write’s input', () => {
  for (const id of WRITES.filter((one) => rowOf(one).reads)) {
    const reads = rowOf(id).reads!
    const { call, by = {} } = typeof reads === 'string' ? { call: reads } : reads
    expect(Object.keys(calls), id).toContain(call)
    expect(rowOf(call as CallId).method, id).toBe('GET')
    expect(namesOf(rowOf(id).input), id).toEqual(expect.arrayContaining(Object.values(by)))
  }
})
