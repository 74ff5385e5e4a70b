import { expect, test } from 'vitest'
import { fieldwork } from './support.ts'

const app = await fieldwork()

test('the organization’s settings say how many visits are kept, and the room each of their tables takes', async () => {
  const { data } = (await app.as('admin').call('visit.state')).body
  expect(data.tables.map(({ name }) => name)).toContain('visits')
  for (const { bytes } of data.tables) expect(bytes).toBeTypeOf('number')
  expect(data).toMatchObject({ closed_before: null, shortened: null })
})

test('a rebuild is a job that counts the visits of every service again', async () => {
  const { body } = await app.as('admin').call('visit.rebuild', {})
  const job = await app.services.jobs.settled(body.data.id, 20_000)
  expect([job.status, job.error]).toEqual(['done', ''])
})

test('only administrators read it, and count again', async () => {
  expect((await app.as('client').call('visit.rebuild', {})).status).toBe(403)
  expect((await app.as('client').call('visit.state')).status).toBe(403)
})
