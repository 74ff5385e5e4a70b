import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { webhookTypes } from '../../contract/webhookNouns.ts'
import { webhookTypesPage } from '../support/webhookTypesPage.ts'

const PAGE = join(import.meta.dirname, '../../docs/webhook-types.md')

test('the page of types is what the table of nouns says; UPDATE=1 writes it', async () => {
  const page = await webhookTypesPage()
  if (process.env.UPDATE === '1') writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})

test('the page has an example of every type', () => {
  const examples = [...readFileSync(PAGE, 'utf8').matchAll(/```json\n(.*?)\n```/gs)].flatMap(([, text]) =>
    text!.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>),
  )
  expect(examples.map(({ type }) => type)).toEqual(webhookTypes.map(({ type }) => type))
  for (const example of examples) expect(Object.keys(example)).toEqual(expect.arrayContaining(['type', 'action']))
  // The first of a noun has a record, and a deletion nothing but the id.
  for (const { type, data } of examples) {
    if (/\.created$/.test(type as string)) expect(Object.keys(data as object).length, type as string).toBeGreaterThan(3)
    if (/\.removed$/.test(type as string)) expect(Object.keys(data as object), type as string).toEqual(['id'])
  }
})
