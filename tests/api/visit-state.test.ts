import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { civilToday } from '../../contract/pacing.ts'
import { transact } from '../../server/db/connect.ts'
import { notePacked, timesPacked } from '../../server/domain/visit/mergedRuns.ts'
import { rollUp } from '../../server/domain/visit/rollups.ts'
import { fieldwork } from './support.ts'

const app = await fieldwork()

test('the organization’s settings say how many visits are kept, and how much room each of their tables takes', async () => {
  const { data } = (await app.as('admin').call('visit.state')).body
  expect(data.tables.map(({ name }) => name)).toContain('visits')
  for (const { bytes } of data.tables) expect(bytes).toBeTypeOf('number')
  expect(data).toMatchObject({ closed_before: null, shortened: null })
})

test('a rebuild is a job that recounts the visits of every service', async () => {
  const { body } = await app.as('admin').call('visit.rebuild', {})
  const job = await app.services.jobs.settled(body.data.id, 20_000)
  expect([job.status, job.error]).toEqual(['done', ''])
})

test('only administrators read the state and start a recount', async () => {
  expect((await app.as('client').call('visit.rebuild', {})).status).toBe(403)
  expect((await app.as('client').call('visit.state')).status).toBe(403)
})

test('caches of merged years notice packing by this release and by the one before, which has a single counter', async () => {
  const { database } = app.services
  const [january, february] = [19_723, 19_754]
  await transact(database, (tx) => notePacked(tx, { from: january, to: january }))
  await transact(database, (tx) => notePacked(tx, { from: january, to: february }))
  const here = await timesPacked(database.db)
  expect(Math.max(...here.values())).toBe(2)
  expect(here.has(-1)).toBe(false)
  await sql`update meta set value = cast(cast(value as integer) + 1 as text) where key = 'visits.packed'`.execute(database.db)
  expect(await timesPacked(database.db)).toEqual(new Map([...here, [-1, 1]]))
})

test('the time of the last roll-up is returned', async () => {
  const state = async () => (await app.as('admin').call('visit.state')).body.data
  const { id: brand_id } = await app.make.brand()
  const service = await app.make.service({ brand_id })
  await app.as('admin').call('visit.ingest', {
    service_id: service.id,
    rows: [{ device: 'phone', venue: 'shop', at: new Date(Date.now() - 60_000).toISOString(), dma: 501 }],
  })
  expect((await state()).waiting_days).toBe(1)
  await rollUp(app.services, civilToday(app.services.settings.timeZone, app.services.now()))
  const { waiting_days, rolled_at } = await state()
  expect([waiting_days, Math.abs(Date.parse(rolled_at!) - Date.now()) < 60_000]).toEqual([0, true])
})
