import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { calls } from '../../contract/calls.ts'
import { engine } from '../support/engine.ts'
import { fieldsOf } from '../torture/input/generate.ts'
import { signedIn } from './calling.ts'
import { anotherConnection, type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
/** Runs the same thing twice at once. */
const twice = <T>(work: (nth: number) => Promise<T>) => Promise.all([work(1), work(2)])
const statuses = (answers: { status: number }[]) => answers.map((answer) => answer.status).sort()
const project = (given: object = {}) => app.make.project({ client_id: app.client.id, ...given })

describe('two at once', () => {
  test('two writers of one version: one succeeds, the other gets the current record', async () => {
    // Either may come first: both orders are right, and these rounds cover both.
    for (let round = 0; round < 6; round++) {
      const { id } = await project()
      const [first, second] = await twice((nth) => admin().call('project.edit', { id, name: `Name ${nth}`, lock_version: 1 }))
      expect(statuses([first, second])).toEqual([200, 409])
      const [won, lost] = first.status === 200 ? [first, second] : [second, first]
      expect(lost.body).toMatchObject({ code: 'stale', theirs: { name: won.body.data.name }, clashes: ['name'] })
      expect((await admin().call('project.get', { id })).body.data.name).toBe(won.body.data.name)
      const lines = await app.db
        .selectFrom('history')
        .select('id')
        .where('subject', '=', 'project')
        .where('subject_id', '=', id)
        .execute()
      expect(lines).toHaveLength(1)
    }
  })

  test('two payouts of one reward: paid once, by one job, and the other is refused', async () => {
    const { id } = await project()
    for (let round = 0; round < 6; round++) {
      const entry = await app.make.entry({ project_id: id })
      const answers = await twice(() => admin().call('entry.redeem', { ids: [entry.id], confirm_repeats: true }))
      expect(answers.every((answer) => answer.status === 200 || answer.status === 409)).toBe(true)
      await expect
        .poll(
          async () =>
            (await app.db.selectFrom('entries').select('status').where('id', '=', entry.id).executeTakeFirstOrThrow()).status,
        )
        .toBe('sent')
      const paid = await app.db.selectFrom('payouts').select('entry_id').where('entry_id', '=', entry.id).execute()
      expect(paid).toHaveLength(1)
      const claims = await app.db
        .selectFrom('history')
        .select('after')
        .where('subject', '=', 'entry')
        .where('subject_id', '=', entry.id)
        .execute()
      expect(claims.filter((line) => line.after.includes('processing'))).toHaveLength(1)
    }
  })

  test('a reward paid and rejected at once ends as one of the two', async () => {
    const { id } = await project()
    for (let round = 0; round < 6; round++) {
      const entry = await app.make.entry({ project_id: id })
      await twice<unknown>((nth) =>
        nth === 1
          ? admin().call('entry.redeem', { ids: [entry.id], confirm_repeats: true })
          : admin().call('entry.reject', { ids: [entry.id], reason: 'Twice' }),
      )
      const now = () => app.db.selectFrom('entries').select('status').where('id', '=', entry.id).executeTakeFirstOrThrow()
      await expect.poll(async () => ['sent', 'rejected'].includes((await now()).status)).toBe(true)
      const paid = await app.db.selectFrom('payouts').select('entry_id').where('entry_id', '=', entry.id).execute()
      expect(paid).toHaveLength((await now()).status === 'sent' ? 1 : 0)
    }
  })

  test('the same batch twice counts once', async () => {
    const { id } = await project()
    const survey = await app.make.survey({ project_id: id })
    const rows = Array.from({ length: 50 }, (_, at) => ({ respondent_id: `p${at}`, outcome: 'completes' }))
    const answers = await twice(() => admin().call('runtime.ingest', { surveyId: survey.id, rows }))
    expect(statuses(answers)).toEqual([200, 200])
    expect(answers.map(({ body }) => body.data.added).sort((a, b) => a - b)).toEqual([0, 50])
    const { delivered } = await app.db.selectFrom('projects').select('delivered').where('id', '=', id).executeTakeFirstOrThrow()
    expect(delivered).toBe(50)
  })

  test('one invitation sent twice makes one user', async () => {
    const email = 'twice@mail.test'
    const answers = await twice(() => admin().call('user.invite', { email, role_id: 3, client_id: app.client.id }))
    expect(answers.every((answer) => answer.status < 500)).toBe(true)
    expect(answers.some((answer) => answer.status === 200)).toBe(true)
    const users = await app.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(users).toHaveLength(1)
  })

  test('a project approved by two is approved once, with one line of history', async () => {
    const { id } = await project({ status: 'submit_approval' })
    const answers = await twice(() => app.as('client').call('project.approve', { project_id: id }))
    expect(statuses(answers)).toEqual([200, 409])
    const lines = await app.db
      .selectFrom('history')
      .select('after')
      .where('subject', '=', 'project')
      .where('subject_id', '=', id)
      .execute()
    expect(lines.filter((line) => line.after.includes('approved'))).toHaveLength(1)
  })

  test('a write with a key happens once, with a response each time', async () => {
    const { id } = await project()
    const notes = () => app.db.selectFrom('notes').select('id').where('project_id', '=', id).execute()
    for (let round = 0; round < 4; round++) {
      const headers = { 'idempotency-key': `round-${round}-of-notes` }
      const send = () => admin().call('note.create', { project_id: id, note: `Note ${round}` }, headers)
      const answers = await Promise.all([send(), send(), send()])
      expect(statuses(answers)).toEqual([200, 200, 200])
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
      expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(2)
      expect((await send()).body.data.id).toBe(answers[0]!.body.data.id)
      expect(await notes()).toHaveLength(round + 1)
    }
    const lines = await app.db.selectFrom('history').select('id').where('project_id', '=', id).execute()
    expect(lines).toHaveLength(4)
  })

  test('a key sent with other input is refused by name, and belongs only to its sender', async () => {
    const { id } = await project({ status: 'submit_approval' })
    const headers = { 'idempotency-key': 'one-key-for-two' }
    const note = (text: string, who = admin()) => who.call('note.create', { project_id: id, note: text }, headers)
    expect((await note('First')).status).toBe(200)
    for (const answer of [await note('Second'), await admin().call('client.create', { name: 'Other' }, headers)])
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['idempotency-key']])
    for (const key of ['short', 'with a blank in it', 'ä'.repeat(9), 'x'.repeat(201)])
      expect((await admin().call('note.create', { project_id: id, note: 'x' }, { 'idempotency-key': key })).status, key).toBe(422)
    // Keys belong to users: another user's, or an acting administrator's, is a different key.
    const other = await app.signIn(await app.make.user({ role: 'admin' }))
    expect((await note('First', other)).headers['idempotent-replayed']).toBeUndefined()
    const view = { screen: 'allProjects', name: 'Mine' }
    const acting = app.person(await signedIn(app.services, app.member, { admin_id: app.admin.id }))
    expect((await app.as('client').call('view.create', view, headers)).status).toBe(200)
    expect((await acting.call('view.create', view, headers)).status).toBe(422)
  })

  test('a refused write didn’t happen: its key does it later', async () => {
    const { id } = await project({ status: 'pricing' })
    const headers = { 'idempotency-key': 'approve-when-it-may' }
    const approve = () => app.as('client').call('project.approve', { project_id: id }, headers)
    expect((await approve()).status).toBe(409)
    await app.write((tx) => tx.updateTable('projects').set({ status: 'submit_approval' }).where('id', '=', id).execute())
    expect((await approve()).status).toBe(200)
    const again = await approve()
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
  })

  test('what is shown once is not stored', async () => {
    const headers = { 'idempotency-key': 'a-key-for-a-key' }
    const made = await admin().call('key.create', { name: 'Nightly' }, headers)
    const again = await admin().call('key.create', { name: 'Nightly' }, headers)
    expect([made.status, again.status, again.body.code]).toEqual([200, 409, 'done_already'])
    const invitation = { email: 'once@mail.test', role_id: 2, skip_invitation: true }
    const invited = await admin().call('user.invite', invitation, { 'idempotency-key': 'an-invitation' })
    expect(invited.body.link).toContain('http')
    expect((await admin().call('user.invite', invitation, { 'idempotency-key': 'an-invitation' })).body.code).toBe('done_already')
    const attempts = await app.db.selectFrom('attempts').select(['call', 'answer']).execute()
    expect(attempts.filter(({ call }) => /key|invite/.test(call)).map(({ answer }) => answer)).toEqual(['', ''])
    for (const { answer } of attempts) expect(answer).not.toContain(made.body.data.key)
    // A new call that returns such a secret must declare it.
    const shows = (Object.entries(calls) as [string, Call][]).filter(([, row]) => {
      const fields = fieldsOf(row.output)
      const names = [...Object.keys(fields), ...(fields.data ? Object.keys(fieldsOf(fields.data)) : [])]
      return row.method !== 'GET' && names.some((name) => /^(key|link|password|token|secret)$/.test(name))
    })
    expect(shows.filter(([, row]) => !row.secret).map(([id]) => id)).toEqual([])
  })

  test('a session ended twice, a file deleted twice and a job cancelled twice: one succeeds', async () => {
    const { id } = await project()
    const entry = await app.make.entry({ project_id: id })
    const { body } = await admin().call('entry.redeem', { ids: [entry.id], confirm_repeats: true, delay_seconds: 20 })
    const job =
      (body as unknown as { job_id?: number; data?: { job_id?: number } }).job_id ??
      (await app.db.selectFrom('jobs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id
    expect(statuses(await twice(() => admin().call('job.cancel', { id: job })))).toEqual([200, 409])
    const row = await app.db.selectFrom('entries').select('status').where('id', '=', entry.id).executeTakeFirstOrThrow()
    expect(row.status).toBe('pending')
    const session = await app.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', app.member.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const other = await app.signIn(app.member)
    expect(statuses(await twice(() => other.call('account.endSession', { id: session.id })))).toEqual([200, 404])
  })
})

describe.runIf(engine === 'postgres')('two that need the same rows don’t wait for each other', () => {
  /** The lock of the live events (server/live/live.ts), and that of a project's marks (server/db/entryMarks.ts). */
  const EVENTS = [5_417_230]
  const marksOf = (project: number) => [5_417_327, project]

  /** Starts one write after another while somebody holds a lock that both wait for; returns their results. */
  async function behind<A, B>(lock: number[], first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
    const other = anotherConnection(app)
    const waiting = async () =>
      (await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(other.db)).rows.length
    const key = sql.join(lock.map((part) => sql.lit(part)))
    const begun = await other.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${key})`.execute(tx)
      const one = first()
      await expect.poll(waiting).toBe(1)
      const two = second()
      await expect.poll(waiting).toBe(2)
      return { both: Promise.all([one, two]) }
    })
    return await begun.both
  }

  /** Transactions that the database has ended; each connection is made to tell what it has counted. */
  async function deadlocks(): Promise<number> {
    const { used, idle } = app.services.database.connections() as { used: number; idle: number }
    const tell = () => sql`select pg_stat_force_next_flush(), pg_sleep(0.2)`.execute(app.db)
    await Promise.all(Array.from({ length: used + idle }, tell))
    const { rows } = await sql<{ n: number }>`select deadlocks as n from pg_stat_database
      where datname = current_database()`.execute(app.db)
    return rows[0]!.n
  }

  test('somebody’s change that can be undone, and an export that they start', async () => {
    const { id } = await project()
    const before = await deadlocks()
    const [changed, started] = await behind(
      EVENTS,
      () => admin().call('project.edit', { id, description: 'Changed' }),
      () => admin().call('export.start', { source: 'responses', filter: { project_id: id } }),
    )
    expect([changed.status, started.status]).toEqual([200, 200])
    expect(await deadlocks()).toBe(before)
  })

  test('new rewards, and the rejection of one with the same address', async () => {
    const { id } = await project()
    const email = 'same@mail.test'
    const old = await app.make.entry({ project_id: id, email })
    const before = await deadlocks()
    const [, rejected] = await behind(
      marksOf(id),
      () => app.make.entries([{ project_id: id, email }]),
      () => admin().call('entry.reject', { ids: [old.id], reason: 'Same person' }),
    )
    expect([rejected.status, rejected.body.data.done]).toEqual([200, [old.id]])
    expect(await deadlocks()).toBe(before)
    const { flags } = await app.db
      .selectFrom('entries')
      .select('flags')
      .where('project_id', '=', id)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    expect(flags & 2).toBe(0)
  })
})
