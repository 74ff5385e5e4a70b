import assert from 'node:assert/strict'
import { listen, reckonEars } from '../ear.ts'
import { call, send, upload } from '../send.ts'
import { ask, by, everywhere, isOk, type Kept, statuses, until } from './promise.ts'

/** TABLE  events, jobs, and files. */
export const WORK: Kept[] = [
  {
    name: 'a change written at one is heard at all within a second, and a stream resumes at another without a gap or an echo',
    async hold(fleet) {
      const project = await fleet.make.project({ client_id: fleet.client.id })
      const ears = await everywhere(fleet, (url) => listen(url, fleet.headers))
      const edited = await ask(fleet)(0, 'project.edit', { id: project.id, name: 'Heard everywhere' })
      isOk(edited)
      const [, last = ''] = String(edited.headers['x-live-own']).split('-')
      await until(1000, async () => ears.every((ear) => ear.heard.includes(Number(last))), 'the change is not heard everywhere')
      for (const ear of ears) ear.stop()
      const cursor = ears[0]!.cursor()
      for (let nth = 0; nth < 6; nth++) isOk(await ask(fleet)(nth, 'project.edit', { id: project.id, name: `Name ${nth}` }))
      const resumed = await Promise.all([1, 2].map((nth) => listen(by(fleet, nth), fleet.headers, cursor)))
      try {
        assert.deepEqual(await reckonEars(fleet.database, fleet.admin.id, resumed, 2000), [])
        assert.ok(resumed.every((ear) => ear.heard.length >= 6))
      } finally {
        for (const ear of resumed) ear.stop()
      }
    },
  },
  {
    name: 'a job is done once, and its file is had from every process',
    async hold(fleet) {
      for (let nth = 0; nth < 5; nth++) await fleet.make.project({ client_id: fleet.client.id })
      const begun = await Promise.all(
        Array.from({ length: 9 }, (_, nth) => ask(fleet)(nth, 'export.start', { source: 'projects' })),
      )
      begun.forEach(isOk)
      const jobs = await until(
        30_000,
        async () => {
          const all = await Promise.all(begun.map(({ body }, nth) => ask(fleet)(nth + 1, 'job.get', { id: body.data.id })))
          return all.every(({ body }) => body.data.status === 'done') && all
        },
        'nine exports',
      )
      const links = jobs.map(({ body }) => body.data.download!)
      const files = await Promise.all(links.map((link, nth) => send(by(fleet, nth + 2) + link)))
      assert.ok(files.every((file) => file.status === 200 && file.content.includes('Project')))
      const { db } = fleet.database
      const ids = jobs.map(({ body }) => body.data.id)
      const rows = await db.selectFrom('jobs').select('attempts').where('id', 'in', ids).execute()
      assert.deepEqual(new Set(rows.map((row) => row.attempts)), new Set([1]))
      // Each result has its own file and there are no others, so none was written twice.
      const made = jobs.map(({ body }) => Number(body.data.result.file_id))
      const since = db
        .selectFrom('files')
        .select('id')
        .where('kind', '=', 'export')
        .where('id', '>=', Math.min(...made))
      assert.deepEqual((await since.execute()).map((row) => row.id).sort(), made.sort())
    },
  },
  {
    name: 'how far a job is, is seen from every process while another does it',
    async hold(fleet) {
      const { db } = fleet.database
      const project = await fleet.make.project({ client_id: fleet.client.id })
      // Six batches, each paid over the network.
      const winners = Array.from({ length: 1200 }, (_, nth) => ({
        project_id: project.id,
        email: `many-${project.id}-${nth}@mail.test`,
      }))
      await fleet.make.entries(winners)
      const rows = await db.selectFrom('entries').select('id').where('project_id', '=', project.id).execute()
      const ids = rows.map((row) => row.id)
      const redeemed = await ask(fleet)(0, 'entry.redeem', { ids, confirm_repeats: true })
      isOk(redeemed)
      const id = redeemed.body.data.job_id!
      const seen = fleet.servers.map((): number[] => [])
      await until(
        15_000,
        async () => {
          const all = await everywhere(fleet, (url) => call(url, 'job.get', { id }, { headers: fleet.headers }))
          for (const [nth, { body }] of all.entries()) if (body.data.status === 'running') seen[nth]!.push(body.data.done)
          return all.every(({ body }) => body.data.status === 'done')
        },
        'a payout of 1,200',
      )
      for (const steps of seen) {
        assert.ok(
          steps.some((done) => done > 0 && done < ids.length),
          `progress was seen as ${steps}`,
        )
        assert.deepEqual(
          steps,
          steps.toSorted((a, b) => a - b),
        )
      }
    },
  },
  {
    name: 'a file brought to one is had from all, whole or in part, deleted at one it is gone from all, and undone at one it is back at all',
    async hold(fleet) {
      const project = await fleet.make.project({ client_id: fleet.client.id })
      const content = Buffer.from(Array.from({ length: 60_000 }, (_, at) => 32 + ((at * 7) % 90)))
      const before = fleet.s3.keys().length
      const brought = await upload(by(fleet, 0), fleet.headers, 'Größe & Maß.txt', content, {
        project_id: String(project.id),
        kind: 'document',
      })
      isOk(brought)
      const [file] = brought.body.data
      assert.equal(fleet.s3.keys().length, before + 1)
      const whole = await everywhere(fleet, (url) => send(url + file!.url))
      assert.ok(whole.every((one) => one.status === 200 && one.content.equals(content)))
      const range = { range: 'bytes=1000-1999', 'if-range': String(whole[0]!.headers.etag) }
      const parts = await everywhere(fleet, (url) => send(url + file!.url, { headers: range }))
      assert.ok(parts.every((part) => part.status === 206 && part.content.equals(content.subarray(1000, 2000))))
      const removed = await ask(fleet)(1, 'file.remove', { id: file!.id })
      isOk(removed)
      assert.deepEqual(statuses(await everywhere(fleet, (url) => send(url + file!.url))), [404, 404, 404])
      // Its content stays in the store for the day during which the deletion can be undone.
      isOk(await ask(fleet)(2, 'undo.take', { id: Number(removed.headers['x-undo']) }))
      const back = await everywhere(fleet, (url) => send(url + file!.url))
      assert.ok(back.every((one) => one.status === 200 && one.content.equals(content)))
    },
  },
]
