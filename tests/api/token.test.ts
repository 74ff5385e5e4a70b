import { beforeAll, describe, expect, test } from 'vitest'
import { ACCESS, ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls, type Input } from '../../contract/calls.ts'
import { rightTo } from '../../contract/rights.ts'
import { opensLimited, refusedToTokens, scopesOf } from '../../contract/tokenScope.ts'
import { hashPassword } from '../../server/core/passwords.ts'
import { engine } from '../support/engine.ts'
import { type Maker, sendExample, WRITE_EXAMPLES } from '../support/writeExamples.ts'
import { fieldsOf, inputFor } from '../torture/input/generate.ts'
import { randomOf } from '../torture/random.ts'
import { requestOf } from './calling.ts'
import { otherWorld, SECRET } from './other-world.ts'
import { PASSWORD } from './signing.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { fresh, person } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork({ LIMITS: 'token_minute=100000' })
})
const rows = Object.entries(calls) as [CallId, Call][]
const admin = () => app.as('admin')
const bearer = (token: string, scheme = 'Bearer') => app.person({ authorization: `${scheme} ${token}` })
async function made(given: Partial<Input<'token.create'>> = {}, owner: Person = admin()) {
  const answer = await owner.call('token.create', { name: 'Launch bot', scopes: ['project:read'], ...given } as never)
  expect(answer.status, answer.text).toBe(200)
  const { token, id } = answer.body.data
  return { id, token, program: bearer(token) }
}
const newAdmin = () => app.make.user({ role: 'admin' })

describe('a token', () => {
  test('is shown once and kept as a hash; its scheme is read in any case, and a wrong one is a 401 that names it', async () => {
    const { token } = await made()
    expect(token).toMatch(/^fwt_[\w-]{43}$/)
    expect((await admin().call('token.list')).text).not.toContain(token)
    expect(JSON.stringify(await app.db.selectFrom('api_keys').selectAll().execute())).not.toContain(token)
    for (const scheme of ['bearer', 'BEARER']) expect((await bearer(token, scheme).call('project.listAll')).status).toBe(200)
    const wrong = await bearer('fwt_wrong').call('project.listAll')
    expect([wrong.status, wrong.body.message, wrong.headers['www-authenticate']]).toEqual([
      401,
      'This token is unknown, revoked or expired.',
      'Bearer realm="Fieldwork"',
    ])
  })

  test('opens what its scopes allow, and names a missing one', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const { program } = await made({ scopes: ['project:read', 'note.create'] })
    expect((await program.call('project.get', { id: project.id })).status).toBe(200)
    expect((await program.call('note.create', { project_id: project.id, note: 'By a program' })).status).toBe(200)
    const list = await program.call('note.list', { id: project.id } as never)
    const error = list.body as unknown as { code: string; scope: string }
    expect([list.status, error.code, error.scope]).toEqual([403, 'scope', 'note:read'])
    const write = await program.call('project.edit', { id: project.id, name: 'Other' })
    expect([write.status, (write.body as unknown as { scope: string }).scope]).toEqual([403, 'project:write'])
    expect((await (await made({ scopes: ['*:read'] })).program.call('note.list', { id: project.id } as never)).status).toBe(200)
    const unknown = await admin().call('token.create', { name: 'X', scopes: ['projekt:read'] })
    expect([unknown.status, unknown.body.fields.scopes]).toEqual([422, 'scopes: there is no scope “projekt:read”'])
  })

  test('creates no token, signs nobody in, and shows nothing that is shown once, whatever its scopes', async () => {
    const { program, id } = await made({ scopes: ['*:write'] })
    const user = await app.make.user({ clients: [app.client.id] })
    const tries: [CallId, object][] = [
      ['token.create', { name: 'More', scopes: ['*:write'] }],
      ['token.revoke', { id }],
      ['key.create', { name: 'More' }],
      ['session.actAs', { id: user.id, reason: 'because' }],
      ['account.edit', { first_name: 'Eve' }],
      ['outbox.reveal', { id: 1 }],
    ]
    for (const [call, input] of tries) expect((await program.call(call, input as never)).status, call).toBe(403)
    const before = await app.db.selectFrom('users').select('password_hash').where('id', '=', app.admin.id).executeTakeFirst()
    await program.call('session.setPassword', { password: 'Other-pass1', password_confirmation: 'Other-pass1' } as never)
    expect(await app.db.selectFrom('users').select('password_hash').where('id', '=', app.admin.id).executeTakeFirst()).toEqual(
      before,
    )
  })

  test('ends at once when revoked, expired or its owner’s role or account changes; a personal one also with their password', async () => {
    const alive = async ({ program }: { program: Person }) => (await program.call('token.current')).status
    const one = await made()
    expect((await admin().call('token.revoke', { id: one.id })).status).toBe(200)
    expect(await alive(one)).toBe(401)
    const two = await made({ expires_on: app.make.today() })
    expect(await alive(two)).toBe(200)
    const past = new Date(Date.now() - 1).toISOString()
    await app.write((tx) => tx.updateTable('api_keys').set({ expires_at: past }).where('id', '=', two.id).execute())
    expect(await alive(two)).toBe(401)
    const owner = await newAdmin()
    const theirs = await made({ scopes: ['user:read'] }, await app.signIn(owner))
    expect((await theirs.program.call('user.list')).status).toBe(200)
    // Only their role changes here, without the revocation that the call would add.
    await app.write((tx) => tx.updateTable('users').set({ role: 'client' }).where('id', '=', owner.id).execute())
    expect((await theirs.program.call('user.list')).status).toBe(403)
    await app.write((tx) => tx.updateTable('users').set({ status: 'invited' }).where('id', '=', owner.id).execute())
    expect(await alive(theirs)).toBe(401)
    const leaver = await newAdmin()
    const service = await made({ kind: 'service' }, await app.signIn(leaver))
    const changer = await app.make.user({ role: 'admin', password_hash: await hashPassword(PASSWORD) })
    const signedIn = await app.signIn(changer)
    const [own, programs] = [await made({}, signedIn), await made({ kind: 'service' }, signedIn)]
    const words = { password: 'Next-pass-1!', password_confirmation: 'Next-pass-1!', current_password: PASSWORD }
    expect((await signedIn.call('session.setPassword', words)).status).toBe(200)
    expect([await alive(own), await alive(programs)]).toEqual([401, 200])
    await admin().call('user.remove', { id: leaver.id })
    expect(await alive(service)).toBe(401)
  })

  test('of a client user sees what they see at that moment', async () => {
    const home = await app.make.client()
    const project = await app.make.project({ client_id: home.id })
    const owner = await app.make.user({ clients: [home.id] })
    const { program } = await made({ scopes: ['*:write'] }, await app.signIn(owner))
    expect((await program.call('project.get', { id: project.id })).status).toBe(200)
    expect((await program.call('user.list')).status).toBe(403)
    await admin().call('client.removeUser', { client_id: home.id, user_id: owner.id })
    expect((await program.call('project.get', { id: project.id })).status).toBe(404)
    const service = await (await app.signIn(owner)).call('token.create', { name: 'X', kind: 'service', scopes: ['*:read'] })
    expect(service.status).toBe(403)
  })

  test('is listed for its owner and for administrators, with when and where it was used, and revoked only by them', async () => {
    const owner = await app.make.user({ clients: [app.client.id] })
    const signedIn = await app.signIn(owner)
    const { program, id } = await made({ name: 'My script' }, signedIn)
    await program.call('token.current')
    const { data } = (await signedIn.call('token.list')).body
    expect(data).toMatchObject([{ id, name: 'My script', kind: 'personal', status: 'valid', last_address: '127.0.0.1' }])
    expect(data[0]!.last_used_at).not.toBeNull()
    expect((await admin().call('token.list', { search: 'My script' })).body.data.map((one) => one.id)).toEqual([id])
    const stranger = await app.signIn(await app.make.user({ clients: [app.client.id] }))
    expect((await stranger.call('token.revoke', { id })).status).toBe(404)
    expect((await signedIn.call('token.revoke', { id })).status).toBe(200)
    expect((await signedIn.call('token.list', { status: 'revoked' })).body.count).toBe(1)
  })

  test('names itself in the history', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const { program } = await made({ name: 'Launch bot', scopes: ['note:write'] })
    await program.call('note.create', { project_id: project.id, note: 'Launched' })
    const { data } = (await admin().call('project.history', { id: project.id })).body
    expect(data[0]!.who).toMatch(/^token “Launch bot” of \S/)
  })

  test('names itself in the history of a job that it starts', async () => {
    const { program, id } = await made({ name: 'Night bot', scopes: ['*:write'] })
    const example = await (WRITE_EXAMPLES['import.run'] as Maker)(app)
    const { last } = await app.db
      .selectFrom('history')
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    expect((await sendExample('import.run', { ...example, as: program })).status).toBe(200)
    const { id: job_id } = await app.db.selectFrom('jobs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    expect((await app.services.jobs.settled(job_id, 10_000)).status).toBe('done')
    const rows = await app.db.selectFrom('history').select(['subject', 'token_id']).where('id', '>', last).execute()
    expect(rows.filter(({ token_id }) => token_id !== id)).toEqual([])
    // The call's line and the job's.
    expect(rows).toHaveLength(2)
  })

  test('has its own rate limit', async () => {
    const few = await fieldwork({ LIMITS: 'token_minute=5' })
    const token = async () => (await few.as('admin').call('token.create', { name: 'Busy', scopes: ['*:read'] })).body.data.token
    const [busy, other] = [await token(), await token()]
    const ask = (one: string) => few.person({ authorization: `Bearer ${one}` }).call('token.current')
    const answers = await Promise.all(Array.from({ length: 9 }, () => ask(busy)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.length - refused.length).toBe(5)
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask(other)).status).toBe(200)
  })
})

describe('an importer’s key', () => {
  test('is listed among the tokens, and stays in the list of keys', async () => {
    const { id } = (await admin().call('key.create', { name: 'Decipher' })).body.data
    const { id: other } = await made({ name: 'No key' })
    const listed = (await admin().call('token.list', { search: 'Decipher' })).body.data
    expect(listed).toMatchObject([{ id, kind: 'intake', status: 'valid' }])
    const keys = (await admin().call('key.list')).body.data.map((key) => key.id)
    expect([keys.includes(id), keys.includes(other)]).toEqual([true, false])
    expect((await admin().call('token.revoke', { id })).status).toBe(200)
    expect((await admin().call('key.list')).body.data.find((key) => key.id === id)!.revoked_at).not.toBeNull()
  })
})

describe('every call', () => {
  test('says which scope opens it, or why none does', () => {
    for (const [id, row] of rows) {
      const scopes = scopesOf(id, row)
      expect(scopes, id).toEqual(rightTo(id) ? [rightTo(id), id] : expect.arrayContaining(['*:write']))
      // A read scope never covers a call that changes data.
      if (row.method !== 'GET' && !row.keepsNothing) expect(scopes.join(), id).not.toContain(':read')
      // A right of its own opens webhooks, which are a person's otherwise.
      if (rightTo(id) === 'webhook:manage') continue
      if (row.secret) expect(refusedToTokens(id, row), id).not.toBeNull()
      if ((ACCESS as Record<string, { own?: true }>)[id]?.own) expect(refusedToTokens(id, row), id).not.toBeNull()
    }
  })

  test('refuses a token without a scope, before it looks at anything', async () => {
    const { program } = await made({ scopes: ['offer:read'] })
    const closed = rows.filter(([id, row]) => ruleOf(id).who !== 'public' && row.as !== 'stream')
    // Errors before the first read are the same on both engines.
    for (const [id, row] of closed.filter((_, at) => engine === 'sqlite' || at % 6 === 0)) {
      if (scopesOf(id, row).includes('offer:read') || ruleOf(id).token) continue
      const { method, url } = requestOf(id, {})
      const answer = await program.raw(method, url, {})
      expect(answer.status, `${id} ${answer.text}`).toBe(403)
    }
  }, 90_000)
})

describe('a token limited to a client or project', () => {
  let theirs: Awaited<ReturnType<typeof otherWorld>>
  let limited: Person[]
  beforeAll(async () => {
    theirs = await otherWorld(app)
    const project = await app.make.project({ client_id: app.client.id })
    // For an administrator, who can see everything.
    limited = [
      (await made({ scopes: ['*:write'], clients: [app.client.id] })).program,
      (await made({ scopes: ['*:write'], projects: [project.id] })).program,
    ]
  })
  const open = rows.filter(([id, row]) => opensLimited(id, true) && row.as !== 'stream' && row.as !== 'multipart')
  const NAMES = /(^|_)ids?$|Id$|^client$|^parent|^[bs]id$|^service$|^to$|^copy$/

  test('sees its projects with their children, and sends their results', async () => {
    const [mine, other] = [await fresh(app), await fresh(app)]
    const child = await app.make.project({ client_id: app.client.id, parent_id: mine.project.id })
    const { program } = await made({ scopes: ['*:write'], projects: [mine.project.id] })
    const status = async (id: number) => (await program.call('project.get', { id })).status
    expect([await status(mine.project.id), await status(child.id), await status(other.project.id)]).toEqual([200, 200, 404])
    const send = async (surveyId: number) => (await program.call('runtime.ingest', { surveyId, rows: [person()] })).status
    expect([await send(mine.survey.id), await send(other.survey.id)]).toEqual([200, 404])
  })

  test('starts nothing that would run with its owner’s own access', async () => {
    const answer = await limited[0]!.call('export.start', { source: 'projects', filter: {} })
    expect([answer.status, answer.body.code]).toEqual([403, 'limited'])
    for (const call of ['user.list', 'job.list', 'palette.index', 'view.list'] as const)
      expect((await limited[0]!.call(call)).status, call).toBe(403)
  })

  test('gets nothing of other clients from any call that it opens', async () => {
    // The condition is the same on both engines, and calls on PostgreSQL take longer.
    for (const program of engine === 'sqlite' ? limited : limited.slice(0, 1))
      for (const [id, row] of open.filter((_, at) => engine === 'sqlite' || at % 3 === 0)) {
        const fields = [...Object.keys(fieldsOf(row.input)), ...[...row.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!)]
        const asked: Record<string, unknown>[] = [{}, ...(row.method === 'GET' ? [{ search: SECRET, per_page: 500 }] : [])]
        for (const field of new Set(fields.filter((name) => NAMES.test(name))))
          for (const noun of ['project', 'client', 'survey', 'activity', 'note'] as const) {
            const value = theirs.ids[noun]
            asked.push({ ...inputFor(row.input, randomOf(3)), [field]: /ids$|^to$/.test(field) ? [value] : value })
          }
        for (const input of asked) {
          const { method, url, body } = requestOf(id, input)
          const answer = await program.raw(method, url, body)
          expect(answer.status, id).not.toBe(429)
          expect(answer.text, `${id} ${JSON.stringify(input).slice(0, 200)}`).not.toContain(SECRET)
        }
      }
  }, 90_000)
})
