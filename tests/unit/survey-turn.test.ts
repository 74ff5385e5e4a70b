import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Services } from '../../server/core/context.ts'
import { inSurveyTurn } from '../../server/core/surveyTurn.ts'

const services = {} as Services

test('batches of a survey run one at a time in the order of their arrival, beside those of others', async () => {
  const order: string[] = []
  let running = 0
  const batch = (survey: number, name: string) =>
    inSurveyTurn(services, survey, async () => {
      if (survey === 1) expect(++running).toBe(1)
      await delay(5)
      order.push(name)
      if (survey === 1) running--
      return name
    })
  const all = ['a', 'b', 'c', 'd'].map((name) => batch(1, name))
  const other = batch(2, 'other')
  expect(await Promise.all([...all, other])).toEqual(['a', 'b', 'c', 'd', 'other'])
  expect(order.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c', 'd'])
  expect(order.indexOf('other')).toBeLessThan(3)
})

test('a batch that fails lets the next one run, and is told why', async () => {
  const failing = inSurveyTurn(services, 1, async () => {
    await delay(2)
    throw new Error('disk is full')
  })
  const next = inSurveyTurn(services, 1, async () => 'stored')
  await expect(failing).rejects.toThrow('disk is full')
  expect(await next).toBe('stored')
  expect(await inSurveyTurn(services, 1, async () => 'later')).toBe('later')
})

test('a batch that waits too long gives up, and those after it still wait for the ones before', async () => {
  const first = Promise.withResolvers<string>()
  const order: string[] = []
  const storing = inSurveyTurn(services, 1, () => first.promise)
  const late = inSurveyTurn(services, 1, async () => order.push('late'), 5)
  const last = inSurveyTurn(services, 1, async () => order.push('last'))
  await expect(late).rejects.toMatchObject({ status: 503, code: 'busy', more: { retry_after: 2 } })
  expect(order).toEqual([])
  first.resolve('stored')
  expect(await storing).toBe('stored')
  await last
  expect(order).toEqual(['last'])
})
