import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { call } from '../send.ts'
import { ask, by, count, isOk, type Kept, next, statuses, until } from './promise.ts'

/** TABLE  requested several times, done once. */
export const ONCE: Kept[] = [
  {
    name: 'the same done at two processes at once has one effect, and the other is told',
    async hold(fleet) {
      const { db } = fleet.database
      const project = await fleet.make.project({ client_id: fleet.client.id })
      const survey = await fleet.make.survey({ project_id: project.id })
      const rows = Array.from({ length: 40 }, (_, nth) => ({
        respondent_id: `r${nth}`,
        outcome: 'completes',
        gender: 'female',
        age: 3,
      }))
      const batches = await Promise.all([0, 1, 2].map((nth) => ask(fleet)(nth, 'runtime.ingest', { surveyId: survey.id, rows })))
      batches.forEach(isOk)
      const delivered = () => db.selectFrom('projects').select('delivered').where('id', '=', project.id).executeTakeFirstOrThrow()
      assert.equal((await delivered()).delivered, 40)
      const cells = db.selectFrom('day_cells').where('survey_id', '=', survey.id).where('cell', '=', -1)
      const { sum } = await cells.select((eb) => eb.fn.sum<number>('completes').as('sum')).executeTakeFirstOrThrow()
      assert.equal(Number(sum), 40)

      // A write sent three times under one key is one write, and each sender gets its result.
      const named = { ...fleet.headers, 'idempotency-key': `a-note-of-${project.id}` }
      const note = { project_id: project.id, note: 'Written once' }
      const notes = await Promise.all([0, 1, 2].map((nth) => call(by(fleet, nth), 'note.create', note, { headers: named })))
      notes.forEach(isOk)
      assert.equal(new Set(notes.map(({ body }) => body.data.id)).size, 1)
      assert.equal(notes.filter(({ headers }) => headers['idempotent-replayed']).length, 2)

      const edits = await Promise.all(
        [0, 1, 2].map((nth) => ask(fleet)(nth, 'project.edit', { id: project.id, name: `By ${nth}`, lock_version: 1 })),
      )
      assert.deepEqual(statuses(edits).sort(), [200, 409, 409])

      const entry = await fleet.make.entry({ project_id: project.id, survey_id: survey.id })
      const paid = await Promise.all(
        [0, 1, 2].map((nth) => ask(fleet)(nth, 'entry.redeem', { ids: [entry.id], confirm_repeats: true })),
      )
      assert.ok(
        paid.every(({ status }) => status === 200 || status === 409),
        String(statuses(paid)),
      )
      const claims = await db
        .selectFrom('history')
        .select('after')
        .where('subject', '=', 'entry')
        .where('subject_id', '=', entry.id)
        .execute()
      assert.equal(claims.filter((line) => line.after.includes('processing')).length, 1)

      const email = `guest${next()}@mail.test`
      const invited = await Promise.all(
        [0, 1, 2].map((nth) => ask(fleet)(nth, 'user.invite', { email, role_id: 3, client_id: fleet.client.id })),
      )
      assert.equal(count(invited, 200), 1, String(statuses(invited)))
      await fleet.smtp.waitFor((mail) => mail.envelope.to.includes(email))
      assert.equal(fleet.smtp.mails.filter((mail) => mail.envelope.to.includes(email)).length, 1)
    },
  },
  {
    name: 'news is mailed once, though the process that told it is killed before its email is due',
    async hold(fleet) {
      const { db } = fleet.database
      const preferences = JSON.stringify({ news_mail: { paused: 'now' } })
      const owner = await fleet.make.user({ role: 'admin', email: `owner${next()}@mail.test`, preferences })
      const project = await fleet.make.project({ client_id: fleet.client.id, owner_id: owner.id, name: `Paused ${next()}` })
      isOk(await ask(fleet)(0, 'project.setStatus', { id: project.id, status: 'Paused', reason: 'A holiday' }))
      await fleet.servers[0]!.kill()
      const news = db
        .updateTable('news')
        .set({ mail_due: new Date(0).toISOString() })
        .where('subject_id', '=', project.id)
      const [due] = await news.where('user_id', '=', owner.id).where('mail_due', 'is not', null).execute()
      assert.equal(Number(due!.numUpdatedRows), 1)
      const mails = () => fleet.smtp.mails.filter(({ subject }) => subject === `Paused: ${project.name}`)
      await until(30_000, async () => mails().length > 0, 'the email of the news')
      await fleet.start(0)
      // Each process has looked for news once more.
      await delay(12_000)
      assert.equal(mails().length, 1)
    },
  },
]
