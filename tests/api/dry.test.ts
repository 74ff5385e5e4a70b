import { beforeAll, describe, expect, test } from 'vitest'
import { type Call, EffectSentence } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { takesDry } from '../../contract/dry.ts'
import { type EffectId, unchangedOf } from '../../contract/writeEffects.ts'
import { namesOf } from '../../server/core/input.ts'
import { type CommandId, commandIds, commandOf } from '../support/commands.ts'
import { type Maker, sendExample, WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { everything } from './kept.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { fresh } from './surveyed.ts'
import { testAll } from './wrong.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
})
const rowOf = (id: CallId) => calls[id] as Call
const example = (id: CallId) => (WRITE_EXAMPLES[id] as Maker)(app)
const messageOf = (answer: { body: unknown }) => (answer.body as { message?: string }).message

/** TABLE  writes without a dry run, each with its reason. */
const NOT_TRIED: Partial<Record<CallId, string>> = {
  'session.signIn': 'a stranger’s',
  'session.signOut': 'open to whoever has no session any more',
  'session.switchBack': 'open to whoever has no session any more',
  'session.forgot': 'a stranger’s',
  'session.setPassword': 'a stranger’s',
  'session.setPasswordSettlers': 'a stranger’s',
  'session.register': 'a stranger’s',
  'session.requestAccount': 'a stranger’s',
  'session.confirmEmail': 'a stranger’s',
  'notice.stopMail': 'a stranger’s',
  'file.upload': 'its contents are kept before its rows',
  'file.uploadDocument': 'its contents are kept before its rows',
  'campaign.create': 'its files are kept before its rows',
  'event.edit': 'its picture is kept before its row',
  'promo.edit': 'its picture is kept before its row',
  'post.edit': 'its file is kept before its row',
  'request.check': 'it is a dry run itself',
  'target.check': 'it stores nothing',
  'service.readVenues': 'it stores nothing',
  'import.process': 'it has a dry of its own, which checks a file row by row (tests/api/import.test.ts)',
  'import.errors': 'it keeps a file alone',
  'reward.importErrors': 'it keeps a file alone',
  'reward.upload': 'it has a dry of its own, which checks a file row by row (tests/api/reward.test.ts)',
  'organization.testMail': 'it stores nothing',
  'entryLink.test': 'it stores nothing',
  'fieldSession.outcome': 'a survey tells what happened',
  'fieldSession.seen': 'a survey tells what happened',
  'location.find': 'it stores nothing',
  'content.import': 'it has a dry of its own (tests/api/content.test.ts)',
  'visit.ingest': 'it has a dry of its own, which reads a stream row by row (tests/api/visit-intake.test.ts)',
  'runtime.ingest': 'it has a dry of its own, which checks a stream row by row (tests/api/intake-rows.test.ts)',
}
const tried = WRITES.filter((id) => !NOT_TRIED[id])
/** True if the call's message is a sentence of the effects table. */
const saysEffect = (id: CallId): boolean => {
  const { output } = rowOf(id) as { output: { shape?: { message?: unknown } } }
  return output.shape?.message === EffectSentence
}
/** Sentences that the specification quotes: they have no full stop, and name no record. */
const SPECIFIED = /[^.]$/
/** Numbers and names in a sentence. */
const factsIn = (sentence = ''): string[] => sentence.match(/[\d,.]*\d|“[^”]*”/g) ?? []

const sessions = async () => (await app.db.selectFrom('sessions').select('id').orderBy('id').execute()).map((row) => row.id)
/** Jobs started by an earlier example continue in the background. */
const working = async () => {
  const open = app.db.selectFrom('jobs').select('id').where('status', 'in', ['queued', 'running'])
  return (await open.where('not_before', '<=', new Date().toISOString()).execute()).length
}
const snapshot = async () => {
  await expect.poll(working).toBe(0)
  return { ...(await everything(app)), sessions: (await sessions()).join() }
}

test('every write takes dry=1, or is listed above with its reason', () => {
  expect(WRITES.filter((id) => !takesDry(id, rowOf(id))).sort()).toEqual(Object.keys(NOT_TRIED).sort())
})

/** The calls of a command, from its source. */
const callsOf = (id: CommandId): CallId[] => {
  const { run, each } = commandOf(id)
  const source = `${run ?? ''}${each ? `${each.one}` : ''}`
  return [...new Set([...source.matchAll(/['"`]([a-z]\w*\.\w+)['"`]/gi)].map(([, name]) => name as CallId))].filter((name) =>
    WRITES.includes(name),
  )
}
const reviewed = commandIds().filter((id) => commandOf(id).confirm || commandOf(id).review || commandOf(id).irreversible)

test('includes every write behind a review', () => {
  const writes = reviewed.flatMap(callsOf)
  expect(writes.length).toBeGreaterThan(20)
  expect(writes.filter((id) => !tried.includes(id) && !namesOf(rowOf(id).input).includes('dry'))).toEqual([])
})

describe('with dry=1 a write says what it would do, and does nothing', () => {
  testAll('every write that takes it', tried, async (id) => {
    const given = await example(id)
    const headers = { 'idempotency-key': `dry-run-of-${id}` }
    const before = await snapshot()
    const answer = await sendExample(id, given, { dry: 1 }, headers)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers).toMatchObject({ 'fieldwork-dry': '1' })
    expect(answer.body).toMatchObject({ dry: true })
    expect(answer.headers).not.toHaveProperty('x-undo')
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(answer.body).not.toHaveProperty('ignored')
    expect(await snapshot()).toEqual(before)
    // Run afterwards with the same key: the dry run didn't use it up, and predicted the result.
    const done = await sendExample(id, given, {}, headers)
    expect(done.status, done.text).toBe(200)
    expect(done.headers).not.toHaveProperty('fieldwork-dry')
    expect(done.body).not.toHaveProperty('dry')
    expect(done.headers).not.toHaveProperty('idempotent-replayed')
    const [would, did] = [messageOf(answer), messageOf(done)]
    if (!saysEffect(id)) return expect(would).toBe(did)
    // The example may have nothing to change.
    if (would === unchangedOf(id as EffectId)) return expect(did).toBe(would)
    expect(would).toMatch(/\bwould\b/)
    expect(did).not.toMatch(/\bwould\b/)
    if (!SPECIFIED.test(did!)) expect(factsIn(would)).toEqual(factsIn(did))
  })

  test('it shows no secret, as what it would open isn’t there', async () => {
    const admin = app.as('admin')
    const url = 'https://hooks.example.com/fieldwork'
    const made = [
      (await admin.call('token.create', { name: 'Dry', scopes: ['client:read'], dry: true } as never)).body.data,
      (await admin.call('key.create', { name: 'Dry', dry: true } as never)).body.data,
      (await admin.call('webhook.create', { name: 'Dry', url, nouns: ['project'], dry: true } as never)).body.data,
    ] as Record<string, unknown>[]
    expect(made.map(({ token, key, signing_secret }) => token ?? key ?? signing_secret)).toEqual(['', '', ''])
  })

  test('it is refused as the write would be', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, status: 'paused' })
    const refused = await app.as('admin').raw('PUT', `/v3/portal/clients/${app.client.id}?dry=1`, { name: '' })
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([422, 'invalid'])
    expect(refused.headers).toMatchObject({ 'fieldwork-dry': '1' })
    const pausing = { id, status: 'Paused', reason: 'A holiday' }
    const [dry, done] = [
      await app.as('admin').call('project.setStatus', { ...pausing, dry: true } as never),
      await app.as('admin').call('project.setStatus', pausing as never),
    ]
    expect([dry.status, messageOf(dry)]).toEqual([done.status, messageOf(done)])
    expect((await app.as('client').raw('POST', '/v3/portal/clients?dry=1', { name: 'Mine' })).status).toBe(403)
  })

  test('a dry run of a batch or a file is marked alike', async () => {
    const surveyId = (await fresh(app)).survey.id
    const rows = [{ respondent_id: 'r-1', outcome: 'completes' }]
    const batch = await app.as('admin').call('runtime.ingest', { surveyId, rows, dry: true } as never)
    expect([batch.status, batch.body, batch.headers['fieldwork-dry']]).toEqual([200, expect.objectContaining({ dry: true }), '1'])
    const given = await example('import.process')
    const file = await sendExample('import.process', given, { dry: true })
    expect([file.status, file.body, file.headers['fieldwork-dry']]).toEqual([200, expect.objectContaining({ dry: true }), '1'])
  })

  test('is set in the query or body, and only by yes or no', async () => {
    const names = async () => (await app.db.selectFrom('clients').select('name').execute()).map((row) => row.name)
    const create = (query: string, body: object) => app.as('admin').raw('POST', `/v3/portal/clients${query}`, body)
    expect((await create('?dry=1', { name: 'Query' })).status).toBe(200)
    expect((await create('', { name: 'Body', dry: true })).status).toBe(200)
    expect((await create('', { client: { name: 'Wrapped' }, dry: 'yes' })).status).toBe(200)
    const strange = await create('?dry=perhaps', { name: 'Perhaps' })
    expect([strange.status, Object.keys((strange.body as { fields: object }).fields)]).toEqual([422, ['dry']])
    expect(await names()).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(Query|Body|Wrapped|Perhaps)$/)]))
    expect((await create('?dry=0', { name: 'Done' })).status).toBe(200)
    expect(await names()).toContain('Done')
  })

  test('a call without dry run refuses it by name, and does nothing', async () => {
    const before = await sessions()
    const answer = await sendExample('session.signIn', await example('session.signIn'), { dry: 1 })
    expect([answer.status, Object.keys((answer.body as unknown as { fields: object }).fields)]).toEqual([422, ['dry']])
    expect(await sessions()).toEqual(before)
  })

  test('the API documentation says for each call whether it has a dry run', async () => {
    const document = (await app.as('stranger').raw('GET', '/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { operationId: CallId; parameters: { name?: string; $ref?: string }[] }>>
    }
    const documented = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ parameters }) => parameters.some(({ name, $ref }) => name === 'dry' || $ref?.endsWith('/Dry')))
    expect(documented.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(tried))
    // The dry of a batch is in the query too, because its body may be the list itself.
    const ofBatches: CallId[] = ['content.import', 'runtime.ingest', 'visit.ingest']
    const untried = documented.map(({ operationId }) => operationId).filter((id) => NOT_TRIED[id])
    expect(untried.sort()).toEqual(ofBatches)
  })
})
