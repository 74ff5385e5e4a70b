import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { calls } from '../../contract/calls.ts'
import { REPORT_COLUMNS } from '../../contract/reportTypes.ts'
import { checkRows } from './rows.ts'

// Every list follows one rule for its pages, whichever call it is.
interface Field {
  minimum?: number
  maximum?: number
  default?: number
}
interface Schema {
  type?: string
  properties?: Record<string, Schema & Field>
}
const schemaOf = (schema: z.core.$ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
const rows = (Object.entries(calls) as [string, Call][]).map(([id, row]) => ({
  id,
  row,
  input: schemaOf(row.input, 'input').properties ?? {},
}))
const paged = rows.filter(({ row, input }) => row.method === 'GET' && 'page' in input)

/** TABLE  pages of what isn't a list of records, with the reason why they have numbers only. */
const NUMBERED: Readonly<Record<string, string>> = {
  'project.teams': 'the page is of each team’s users, and all teams are in every one',
  'report.questions': 'columns of one report, which is saved as a whole',
  'runtime.openAnswers': 'texts and how often they were given: figures, which have no time',
  'runtime.openAnswersV1': 'the same',
}

/** TABLE  pages that may have everything there is, because it is saved as a whole. */
const WHOLE: Readonly<Record<string, number>> = { 'report.questions': REPORT_COLUMNS }

describe('every list’s page', () => {
  test('is found: there are dozens', () => expect(paged.length).toBeGreaterThan(75))

  const id = (row: { id: string }) => row.id

  test('has at most 500 rows', () => {
    checkRows(
      paged,
      ({ id, input }) => {
        expect(input.per_page).toMatchObject({ type: 'integer', minimum: 1, maximum: WHOLE[id] ?? 500 })
        expect(input.per_page!.default).toBeGreaterThan(0)
      },
      id,
    )
  })

  test('is asked for by a cursor and updated_since', () => {
    checkRows(
      paged,
      ({ id, input }) => {
        const fields = ['cursor', 'updated_since'].filter((name) => name in input)
        expect(fields).toEqual(id in NUMBERED ? [] : ['cursor', 'updated_since'])
      },
      id,
    )
  })
})
