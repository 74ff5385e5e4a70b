import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Fields, faultsOf, isBlank, textsOf } from '../../contract/fieldKinds.ts'
import { fileFields } from '../../contract/fileFields.ts'
import { eventFields, postFields, promoFields } from '../../contract/occasionFields.ts'
import { fieldReader } from '../../server/core/fieldColumns.ts'
import { calendarOf } from '../../server/demo/calendar.ts'
import type { DemoNoun, DemoNounRow } from '../../server/demo/demoNoun.ts'
import { amountsOf, demoNouns, inOrder } from '../../server/demo/demoNouns.ts'
import { type Market, planMarket } from '../../server/demo/market.ts'
import type { Rows } from '../../server/demo/noun.ts'
import { FIELDS_OF } from '../../server/demo/rowDefaults.ts'
import { APART, marketRows, NOUNS, projectRows, rowsApart } from '../../server/demo/writeRows.ts'
import { sourceOf, sourcesOf } from '../support/graph.ts'

const calendar = calendarOf(new Date('2026-05-14T18:20:00Z'), '2026-05-14', 'America/New_York')
const planned = (seed = 'fieldwork') => planMarket(seed, amountsOf('test'), calendar, { admin: 'x', client: 'y' })
/** A market's rows by table; those of projects are generated `together` at a time. */
function rowsOf(market: Market, together = market.plans.length): Map<string, unknown[]> {
  const all = new Map<string, unknown[]>()
  const add = (rows: Rows) => {
    for (const [table, list] of Object.entries(rows)) all.set(table, [...(all.get(table) ?? []), ...list])
  }
  for (const { contents: _, ...rows } of marketRows(market)) add(rows)
  for (let from = 0; from < market.plans.length; from += together) {
    const plans = market.plans.slice(from, from + together)
    for (const { contents: _, ...rows } of projectRows(market, plans)) add(rows)
    for (const { noun } of APART) for (const rows of rowsApart(market, noun, plans)) add(rows)
  }
  return all
}
/** Two nouns write files, so their order depends on how many projects are generated together. */
const digests = (rows: Map<string, unknown[]>) =>
  Object.fromEntries(
    [...rows].map(([table, list]) => {
      const texts = list.map((row) => JSON.stringify(row)).sort()
      return [table, createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12)]
    }),
  )

/** The fields of occasions and files of a kind; imported lists and participants' pictures aren't assets. */
const BY_KIND: Readonly<Record<string, Fields>> = {
  event: eventFields,
  promo: promoFields,
  post: postFields,
  location: fileFields,
  media: fileFields,
}

describe('the rows of the demo marketplace', () => {
  const rows = rowsOf(planned())

  it('are the same for the same seed and day', () => {
    expect(digests(rowsOf(planned()))).toEqual(digests(rows))
  })
  it('are the same however many projects are made together', () => {
    expect(digests(rowsOf(planned(), 3))).toEqual(digests(rows))
  })
  it('differ for another seed', () => {
    expect(digests(rowsOf(planned('another'))).projects).not.toBe(digests(rows).projects)
  })
  it('match the size’s count of each noun', () => {
    const amounts = amountsOf('test')
    for (const [noun, { tables }] of Object.entries(demoNouns) as [DemoNoun, { tables: readonly string[] }][])
      if (noun in amounts) expect([noun, rows.get(tables[0]!)!.length]).toEqual([noun, amounts[noun as keyof typeof amounts]])
  })
  it('fill every table their noun declares', () => {
    const declared = Object.values<DemoNounRow>({ ...demoNouns }).flatMap(({ tables }): readonly string[] => tables)
    expect([...rows.keys()].sort()).toEqual([...declared].sort())
    for (const table of declared) expect([table, rows.get(table)!.length > 0]).toEqual([table, true])
  })
  it('come from files that declare the types of their nouns, which are collected by folder', () => {
    for (const file of sourcesOf('server/demo/nouns')) {
      const noun = basename(file, '.ts')
      expect(sourceOf(file), file).toMatch(new RegExp(`interface DemoNouns \\{\\s*readonly ${noun}: typeof ${noun}\\s`))
    }
  })
  it('have consecutive ids in their noun’s range', () => {
    for (const { tables, ...noun } of Object.values(demoNouns)) {
      if (!('first' in noun)) continue
      const ids = (rows.get(tables[0]) as { id: number }[]).map((row) => row.id)
      expect([tables[0], ids.sort((a, b) => a - b)[0]]).toEqual([tables[0], noun.first])
      expect(new Set(ids).size).toBe(ids.length)
    }
  })
  it('have values that their fields take', () => {
    const faults = Object.entries<Fields>(FIELDS_OF).flatMap(([table, fields]) => {
      const read = fieldReader(fields)
      return (rows.get(table) as { kind?: string }[]).flatMap((row) => {
        const judged = BY_KIND[row.kind ?? ''] ?? fields
        const texts = textsOf(judged, { ...row, ...read(row) })
        // Surveys before their link and documents without a type are the demo's choice.
        const filled = (name: string) => judged[name]!.kind !== 'rows' && !isBlank(texts[name])
        return Object.entries(faultsOf(judged, texts)).flatMap(([name, fault]) => (filled(name) ? [`${table} ${fault}`] : []))
      })
    })
    expect([...new Set(faults)]).toEqual([])
  })
  it('have the same columns in all rows of a table', () => {
    for (const [table, list] of rows) {
      const shapes = new Set((list as object[]).map((row) => Object.keys(row).sort().join()))
      expect([table, shapes.size]).toEqual([table, 1])
    }
  })
})

describe('the order of nouns', () => {
  it('puts every noun after those its rows refer to', () => {
    for (const noun of NOUNS) {
      const { after = [] } = demoNouns[noun] as { after?: readonly DemoNoun[] }
      for (const before of after) expect(NOUNS.indexOf(before)).toBeLessThan(NOUNS.indexOf(noun))
    }
  })
  it('is refused for mutual references, or one to a missing noun', () => {
    const tables = ['clients'] as const
    expect(() => inOrder({ team: { tables, after: ['user'] }, user: { tables, after: ['team'] } })).toThrow('team → user → team')
    expect(() => inOrder({ team: { tables, after: ['client'] } })).toThrow('team → client')
  })
})

describe('the marketplace of the demo', () => {
  it('has six survey activities without a survey, and eight surveys without an activity', () => {
    const rows = rowsOf(planMarket('fieldwork', amountsOf('demo'), calendar, { admin: 'x', client: 'y' }))
    const surveys = rows.get('surveys') as { id: number; activity_id: number | null }[]
    const activities = rows.get('activities') as { id: number; activity_type: string }[]
    const linked = new Set(surveys.map(({ activity_id }) => activity_id))
    expect(activities.filter(({ id, activity_type }) => activity_type === 'survey' && !linked.has(id))).toHaveLength(6)
    expect(surveys.filter(({ activity_id }) => activity_id === null)).toHaveLength(8)
    for (const list of [surveys, activities]) expect(new Set(list.map(({ id }) => id)).size).toBe(list.length)
  })
})
