import { beforeAll, describe, expect, test } from 'vitest'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { LIMITED, type Reference } from '../../contract/limitedAccess.ts'
import { addDays } from '../../contract/pacing.ts'
import { RIGHT_IDS } from '../../contract/rights.ts'
import { onlyReads, opensLimited, refusedToTokens } from '../../contract/tokenScope.ts'
import { engine } from '../support/engine.ts'
import { type Maker, sendExample, WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { fieldsOf } from '../torture/input/generate.ts'
import { everything } from './kept.ts'
import { type Fieldwork, fieldwork, type Person, withoutDeliveries } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork({ LIMITS: 'token_minute=100000,keys=100000' })
  withoutDeliveries(app)
})
const rowOf = (id: CallId): Call => calls[id]
const limits = Object.entries(LIMITED) as [CallId, Readonly<Record<string, Reference>>][]

/** A program with an administrator's token. */
async function program(limit: { clients?: number[]; projects?: number[] }, owner: Person = app.as('admin')): Promise<Person> {
  const { body } = await owner.call('token.create', { name: 'Bot', scopes: ['*:write', ...RIGHT_IDS], ...limit } as never)
  return app.person({ authorization: `Bearer ${body.data.token}` })
}
const everyClient = async () => (await app.db.selectFrom('clients').select('id').execute()).map(({ id }) => id)
/** Everything stored but the tokens themselves, which note their use, and what notes a write. */
async function stored(): Promise<Record<string, string>> {
  const { api_keys: _keys, tries: _tries, ...rest } = await everything(app)
  return rest
}
/** Calls of the table that a token can make at all and that a person makes by naming a record. */
const writes = WRITES.filter(
  (id) => !refusedToTokens(id, rowOf(id)) && ruleOf(id).who !== 'public' && ruleOf(id).who !== 'partner',
)

describe('the table of what an administrator’s limited token opens', () => {
  test('names every field that refers to a record', () => {
    for (const [id, references] of limits) {
      const fields = [
        ...Object.keys(fieldsOf(rowOf(id).input)),
        ...[...rowOf(id).path.matchAll(/\{(\w+)\}/g)].map((one) => one[1]!),
      ]
      const referring = fields.filter((name) => /(^|_)ids?$|Id$|^copy$|_attributes$|^parent/.test(name))
      expect(
        referring.filter((name) => !(name in references)),
        id,
      ).toEqual([])
      expect(
        Object.keys(references).filter((name) => !fields.includes(name)),
        id,
      ).toEqual([])
      expect(
        Object.values(references).some((kind) => kind !== 'shared' && kind !== 'closed'),
        id,
      ).toBe(true)
    }
  })

  test('opens what only administrators may do, and nothing that a token can’t do', () => {
    for (const [id] of limits) {
      expect(ruleOf(id).who, id).toBe('admin')
      expect(refusedToTokens(id, rowOf(id)), id).toBeNull()
      expect([opensLimited(id, true), opensLimited(id, false)], id).toEqual([true, false])
    }
  })
})

describe('an administrator’s limited token', () => {
  /** They start a job, which would run with its owner’s own access. */
  const JOBS: ReadonlySet<string> = new Set(['content.download'])
  const some = writes.filter((id, at) => engine === 'sqlite' || id in LIMITED || at % 4 === 0)

  test('does with a record inside exactly what its owner may, in every call that it opens', async () => {
    const own = await program({})
    for (const id of some.filter((one) => opensLimited(one, true) && !ruleOf(one).key)) {
      const make = WRITE_EXAMPLES[id] as Maker
      const expected = await sendExample(id, { ...(await make(app)), as: own })
      const example = await make(app)
      const limited = await program({ clients: await everyClient() })
      const answer = await sendExample(id, { ...example, as: limited })
      const allowed = JOBS.has(id) ? 403 : expected.status
      expect(answer.status, `${id} ${answer.text}`).toBe(allowed)
    }
  }, 120_000)

  test('changes nothing outside, in any call of the table', async () => {
    const nowhere = await app.make.client()
    const [byClient, byProject] = [
      await program({ clients: [nowhere.id] }),
      await program({ projects: [(await app.make.project({ client_id: nowhere.id })).id] }),
    ]
    for (const id of some) {
      if (rowOf(id).keepsNothing) continue
      const example = await (WRITE_EXAMPLES[id] as Maker)(app)
      const before = await stored()
      for (const as of [byClient, byProject]) {
        const answer = await sendExample(id, { ...example, as })
        expect(answer.status, `${id} ${answer.text}`).toBeGreaterThanOrEqual(400)
        expect(answer.status, `${id} ${answer.text}`).toBeLessThan(500)
      }
      expect(await stored(), id).toEqual(before)
    }
  }, 240_000)

  test('reads what only administrators read, of records inside alone', async () => {
    const { client } = app
    const project = await app.make.project({ client_id: client.id })
    const activity = await app.make.activity({ project_id: project.id })
    const survey = await app.make.survey({ project_id: project.id })
    const note = await app.make.note({ project_id: project.id, note: 'Inside', author_id: app.admin.id })
    const plan = await app.as('admin').call('quota.create', { id: project.id, total: 10 } as never)
    expect(plan.status, plan.text).toBe(200)
    const partner = await app.make.partner({})
    const link = await app.as('admin').call('entryLink.create', { id: project.id, partner_id: partner.id, name: 'Inside' })
    expect(link.status, link.text).toBe(200)
    const ids: Partial<Record<Reference, number>> = {
      quota: plan.body.data.id,
      entryLink: link.body.data.id,
      project: project.id,
      activity: activity.id,
      survey: survey.id,
      note: note.id,
    }
    const [inside, outside, ours] = [
      await program({ projects: [project.id] }),
      await program({ clients: [(await app.make.client()).id] }),
      await program({}),
    ]
    for (const [id, references] of limits.filter(([id]) => onlyReads(rowOf(id)) && rowOf(id).method === 'GET')) {
      const input = Object.fromEntries(
        Object.entries(references).flatMap(([name, kind]) => (ids[kind] ? [[name, ids[kind]]] : [])),
      )
      const more = id === 'survey.questions' ? { type: 'survey' } : {}
      const read = async (as: Person) => (await as.call(id, { ...input, ...more } as never)).status
      const expected = await read(ours)
      // The survey has no source to compare with.
      expect(expected, id).toBe(id === 'survey.comparison' ? 422 : 200)
      expect([await read(inside), await read(outside)], id).toEqual([expected, 404])
    }
    expect((await inside.call('survey.list', { project_id: project.id })).status).toBe(403)
    expect((await inside.call('proffer.list')).status).toBe(403)
  })

  test('sees a project as its owner does, acts as an administrator, and is named in the history', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'approved' })
    const bot = await program({ projects: [project.id] })
    expect((await bot.call('project.get', { id: project.id })).body.data.allowed_actions).toContain('project.goLive')
    expect((await bot.call('project.goLive', { id: project.id })).status).toBe(200)
    const { data } = (await app.as('admin').call('project.history', { id: project.id })).body
    expect([data[0]!.who, data[0]!.origin]).toEqual([expect.stringMatching(/^token “Bot” of /), 'event'])
  })

  test('approves a quote in the client’s name, but never notes that the client opened it', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'submit_approval', cost_cents: 100_00 })
    const bot = await program({ clients: [app.client.id] })
    expect((await bot.call('project.quoteOpened', { id: project.id })).body.message).toBe('Nothing changed.')
    const asAdmin = await (await program({})).call('project.approve', { project_id: project.id, status: 'Approved' } as never)
    const next = await app.make.project({ client_id: app.client.id, status: 'submit_approval', cost_cents: 100_00 })
    const answer = await bot.call('project.approve', { project_id: next.id, status: 'Approved' } as never)
    expect([answer.status, answer.body.code]).toEqual([asAdmin.status, asAdmin.body.code])
  })

  test('moves nothing across its limit: neither a project out of it, nor one from outside into it', async () => {
    const other = await app.make.client()
    const [mine, theirs] = [await app.make.project({ client_id: app.client.id }), await app.make.project({ client_id: other.id })]
    const bot = await program({ clients: [app.client.id] })
    const edit = (input: object) => bot.call('project.edit', input as never)
    expect((await edit({ id: mine.id, client_id: other.id })).status).toBe(404)
    expect((await edit({ id: mine.id, parent_id: theirs.id })).status).toBe(404)
    expect((await edit({ id: theirs.id, client_id: app.client.id })).status).toBe(404)
    expect((await edit({ id: mine.id, client_id: app.client.id, name: 'Renamed' })).status).toBe(200)
    const narrow = await program({ projects: [mine.id] })
    const same = await narrow.call('project.edit', { id: mine.id, client_id: app.client.id, name: 'Again' } as never)
    expect(same.status).toBe(200)
    const dates = { goal: 100, start_dt: app.make.today(), end_dt: addDays(app.make.today(), 14) }
    expect((await narrow.call('project.create', { ...dates, client_id: app.client.id, name: 'New' } as never)).status).toBe(404)
    expect((await bot.call('project.create', { ...dates, client_id: app.client.id, name: 'New' } as never)).status).toBe(200)
    const copied = { activity_id: (await app.make.activity({ project_id: mine.id })).id }
    const to = [(await app.make.activity({ project_id: theirs.id })).id]
    expect((await bot.call('target.copy', { ...copied, to })).status).toBe(404)
  })

  test('does no more than its owner once they are a client user', async () => {
    const owner = await app.make.user({ role: 'admin' })
    const project = await app.make.project({ client_id: app.client.id, status: 'approved' })
    const bot = await program({ projects: [project.id] }, await app.signIn(owner))
    await app.write((tx) => tx.updateTable('users').set({ role: 'client' }).where('id', '=', owner.id).execute())
    expect((await bot.call('project.goLive', { id: project.id })).status).toBe(403)
    expect((await bot.call('project.get', { id: project.id })).status).toBe(404)
  })

  test('isn’t given another token’s stored answer for its idempotency key', async () => {
    const theirs = await app.make.project({ client_id: (await app.make.client()).id, name: 'Zanzibar' })
    const headers = { 'idempotency-key': 'launch-of-autumn' }
    const input = { project_id: theirs.id, note: 'Zanzibar' }
    expect((await app.as('admin').call('note.create', input, headers)).status).toBe(200)
    const bot = await program({ clients: [app.client.id] })
    const answer = await bot.call('note.create', input, headers)
    expect([answer.status, answer.text.includes('Zanzibar')]).toEqual([404, false])
  })
})
