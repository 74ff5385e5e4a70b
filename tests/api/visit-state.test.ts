import { expect, test } from 'vitest'
import { fieldwork } from './support.ts'

const app = await fieldwork()

test('the organization’s settings say how many visits are kept, and the room each of their tables takes', async () => {
  const { data } = (await app.as('admin').call('visit.state')).body
  expect(data.tables.map(({ name }) => name)).toContain('visits')
  for (const { bytes } of data.tables) expect(bytes).toBeTypeOf('number')
  expect(data).toMatchObject({ closed_before: null })
})

test('only administrators read it', async () => {
  expect((await app.as('client').call('visit.state')).status).toBe(403)
})
