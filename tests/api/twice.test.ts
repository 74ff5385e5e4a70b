import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
/** The same twice in one breath. */
const twice = <T>(work: (nth: number) => Promise<T>) => Promise.all([work(1), work(2)])
const statuses = (answers: { status: number }[]) => answers.map((answer) => answer.status).sort()
const project = (given: object = {}) => app.make.project({ client_id: app.client.id, ...given })

describe('two at once', () => {
  test('two writers who saw the same version: one is written, the other told what it says now', async () => {
    // Whoever comes first: both orders are right, and both are seen over these rounds.
    for (let round = 0; round < 6; round++) {
      const { id } = await project()
      const [first, second] = await twice((nth) => admin().call('project.edit', { id, name: `Name ${nth}`, lock_version: 1 }))
      expect(statuses([first, second])).toEqual([200, 409])
      const [won, told] = first.status === 200 ? [first, second] : [second, first]
      expect(told.body).toMatchObject({ code: 'stale', theirs: { name: won.body.data.name }, clashes: ['name'] })
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

  test('two payouts of one reward: paid once, by one job, and the other is told', async () => {
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

  test('a reward that is paid and rejected in one breath ends as one of the two', async () => {
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

  test('a project that two approve is approved once, in one line of its history', async () => {
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

  test('a session that is ended twice, a file that is deleted twice and a job that is cancelled twice: one does it', async () => {
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
