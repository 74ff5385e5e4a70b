import { beforeAll, describe, expect, test } from 'vitest'
import type { Output } from '../../contract/calls.ts'
import { civilDay } from '../../contract/format.ts'
import { readSet, sizeOf } from '../../server/domain/visit/deviceSet.ts'
import { addHours } from '../../server/domain/visit/hours.ts'
import { rebuildVisits } from '../../server/domain/visit/rebuild.ts'
import { Rebuilt, timesRebuilt } from '../../server/domain/visit/rebuilt.ts'
import { dropBefore, followKeep, retentionOf } from '../../server/domain/visit/retention.ts'
import { rollDay, worldOf } from '../../server/domain/visit/rollDay.ts'
import { dayNumberOf } from '../../server/domain/visit/serviceList.ts'
import { type Answer, type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  // All visits are kept: the server's nightly deletion would close the months of these visits while they are sent.
  await admin().call('organization.edit', { visits_keep_months: 0 } as never)
})
const admin = () => app.as('admin')
const ZONE = 'America/New_York'

/** A service with a term from 2024 on. */
async function newService(given: { end_dt?: string } = {}) {
  const brand = await app.make.brand({ start_dt: '2024-01-01' })
  return app.make.service({ brand_id: brand.id, start_dt: '2024-01-01', ...given })
}
const report = (answer: Answer) => (answer.body as unknown as Output<'visit.ingest'>).data
const send = (rows: object[], more: object = {}) => admin().call('visit.ingest', { rows, ...more } as never)
const sendLines = (rows: readonly object[], query = '') =>
  admin().raw('POST', `/v3/portal/visitation/visits${query}`, rows.map((row) => JSON.stringify(row)).join('\n'), {
    'content-type': 'application/x-ndjson',
  })

/** A repeatable sequence of numbers between 0 and 1. */
function chance(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}
/** Visits of a few devices at six venues in two market areas within these hours. */
function visitsOf(service_id: number, from: string, hours: number, count: number) {
  const next = chance(count)
  return Array.from({ length: count }, () => {
    const nth = Math.floor(next() * 6)
    return {
      service_id,
      device: `phone ${Math.floor(next() * 40)}`,
      venue: `shop ${nth}`,
      at: new Date(Date.parse(from) + Math.floor(next() * hours * 3600) * 1000).toISOString(),
      dma: nth < 3 ? 501 : 803,
    }
  })
}
const shuffled = <T>(rows: readonly T[]): T[] => {
  const next = chance(7)
  return rows
    .map((row) => [next(), row] as const)
    .sort(([a], [b]) => a - b)
    .map(([, row]) => row)
}

/** A service's stored counts, and a recount from its visits one by one. */
async function counted(service: number) {
  const { db } = app
  const venues = await db.selectFrom('venues').selectAll().where('service_id', '=', service).execute()
  const ids = venues.map(({ id }) => id)
  const visits = await db.selectFrom('visits').selectAll().where('venue_id', 'in', ids).execute()
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hour: 'numeric', hourCycle: 'h23' })
  const cells = new Map<string, { visits: number; devices: Set<number>; hours: number[] }>()
  const venueDays = new Map<string, { visits: number; devices: Set<number> }>()
  for (const { venue_id, at, device } of visits) {
    const day = dayNumberOf(civilDay(at * 1000, ZONE))
    const { dma } = venues.find(({ id }) => id === venue_id)!
    for (const [map, key] of [
      [cells, `${dma} ${day}`],
      [venueDays, `${venue_id} ${day}`],
    ] as const) {
      const counts = map.get(key) ?? { visits: 0, devices: new Set<number>(), hours: new Array<number>(24).fill(0) }
      map.set(key, counts as never)
      counts.visits++
      counts.devices.add(device)
      if ('hours' in counts) counts.hours[Number(clock.format(at * 1000))]!++
    }
  }
  const stored = await db
    .selectFrom('visit_cells')
    .innerJoin('visit_leaves', (join) =>
      join
        .onRef('visit_leaves.service_id', '=', 'visit_cells.service_id')
        .onRef('visit_leaves.dma', '=', 'visit_cells.dma')
        .onRef('visit_leaves.day', '=', 'visit_cells.day'),
    )
    .selectAll('visit_cells')
    .select('devices')
    .where('visit_cells.service_id', '=', service)
    .execute()
  const days = await db.selectFrom('visit_days').selectAll().where('service_id', '=', service).execute()
  const ofVenues = await db.selectFrom('visit_venue_days').selectAll().where('venue_id', 'in', ids).execute()
  const { completed, first_day, last_at } = await db
    .selectFrom('services')
    .selectAll()
    .where('id', '=', service)
    .executeTakeFirstOrThrow()
  const byDay = new Map<number, number>()
  for (const [key, { visits }] of cells) {
    const day = Number(key.split(' ')[1])
    byDay.set(day, (byDay.get(day) ?? 0) + visits)
  }
  const inOrder = <T extends readonly unknown[]>(rows: Iterable<T>) => [...rows].map((row) => JSON.stringify(row)).sort()
  return {
    visits: visits.length,
    stored: {
      cells: inOrder(
        stored.map(({ dma, day, visits, uniques, hours, devices }) => {
          const sums = new Array<number>(24).fill(0)
          addHours(sums, hours)
          return [`${dma} ${day}`, visits, uniques, sizeOf(readSet(devices)).unique, sums]
        }),
      ),
      venues: inOrder(ofVenues.map(({ venue_id, day, visits, uniques }) => [`${venue_id} ${day}`, visits, uniques])),
      days: inOrder(days.map(({ day, visits }) => [day, visits])),
      service: [completed, first_day, last_at],
    },
    recounted: {
      cells: inOrder(Array.from(cells, ([key, { visits, devices, hours }]) => [key, visits, devices.size, devices.size, hours])),
      venues: inOrder(Array.from(venueDays, ([key, { visits, devices }]) => [key, visits, devices.size])),
      days: inOrder(byDay),
      service: [visits.length, Math.min(...byDay.keys()), Math.max(...visits.map(({ at }) => at))],
    },
  }
}

test('a position that another one is probably meant by isn’t a venue’s, and the answer says so', async () => {
  const { id: service_id } = await newService()
  const sent = (venue: string, latitude: number, longitude: number, more: object = {}) => ({
    ...{ service_id, device: venue, venue, at: '2026-03-10T15:00:00Z', latitude, longitude, ...more },
  })
  const answer = await send([
    sent('without its sign', 42.36, 71.06),
    sent('changed over', -71.06, 42.36, { dma: 506 }),
    sent('abroad', 52.5, 13.4),
    sent('here', 42.36, -71.06),
  ])
  expect(report(answer)).toMatchObject({ added: 3, refused: 1, venues_added: 3 })
  const why = '42.36, -71.06 is probably meant: no market area is near 42.36, 71.06'
  expect(report(answer).errors[0]!.fields).toEqual({
    venue: `Venue without its sign is new, and has a doubtful position (${why})`,
  })
  expect(answer.body.message).toContain(`; 2 rows have a doubtful position (${why})`)
  const venues = app.db.selectFrom('venues').select(['code', 'longitude', 'placed']).where('service_id', '=', service_id)
  expect(await venues.orderBy('code').execute()).toMatchObject([
    { code: 'abroad', longitude: 13.4, placed: 'visits' },
    { code: 'changed over', placed: 'market' },
    { code: 'here', longitude: -71.06, placed: 'visits' },
  ])
})

test('a venue is found by its code in whatever form of Unicode an earlier release stored it', async () => {
  const { id: service_id } = await newService()
  const visit = (device: string, venue: string) => ({ service_id, device, venue, at: '2026-03-10T15:00:00Z', dma: 506 })
  await send([visit('a', 'Zo\u00eb')])
  await app.db.updateTable('venues').set({ code: 'Zoe\u0308' }).where('service_id', '=', service_id).execute()
  expect(report(await send([visit('b', 'Zo\u00eb'), visit('c', 'Zoe\u0308')]))).toMatchObject({ added: 2, venues_added: 0 })
})

test('0, 0 is no position of a visit: a new venue needs another or a market area, and the answer says so', async () => {
  const { id: service_id } = await newService()
  const at = '2026-03-10T15:00:00Z'
  const zero = (venue: string, more: object = {}) => ({
    ...{ service_id, device: venue, venue, at, latitude: 0, longitude: '0.0', ...more },
  })
  const answer = await send([
    zero('nowhere'),
    zero('in a market', { dma: 506 }),
    zero('abroad', { latitude: 52.5, longitude: 13.4 }),
    zero('in Boston', { latitude: 42.36, longitude: -71.06 }),
  ])
  expect(report(answer)).toMatchObject({ added: 3, refused: 1, venues_added: 3 })
  expect(report(answer).errors[0]!.fields).toEqual({
    venue: 'Venue nowhere is new: send its latitude and longitude, or its dma',
  })
  expect(answer.body.message).toContain('; 2 rows at 0, 0 have no position')
  const venues = app.db.selectFrom('venues').select(['code', 'latitude', 'dma', 'placed']).where('service_id', '=', service_id)
  expect(await venues.orderBy('code').execute()).toEqual([
    { code: 'abroad', latitude: 52.5, dma: 0, placed: 'visits' },
    { code: 'in Boston', latitude: 42.36, dma: 506, placed: 'visits' },
    { code: 'in a market', latitude: expect.any(Number), dma: 506, placed: 'market' },
  ])
  // A known venue keeps its market's position until a visit has one of its own.
  await send([zero('in a market', { device: 'another' })])
  expect((await venues.where('code', '=', 'in a market').executeTakeFirstOrThrow()).placed).toBe('market')
})

describe('counting visits', () => {
  test('agrees with the visits themselves, sent twice, shuffled and in parallel', async () => {
    const { id } = await newService()
    const rows = visitsOf(id, '2025-06-10T22:00:00Z', 60, 1200)
    const [head, ...rest] = [0, 300, 600, 900].map((at) => rows.slice(at, at + 300))
    expect((await sendLines(head!)).status).toBe(200)
    await Promise.all([...rest, shuffled(rows), shuffled(rows).slice(0, 500)].map((part) => sendLines(part)))
    const again = report(await sendLines(rows))
    expect([again.added, again.repeated]).toEqual([0, 1200])
    const { visits, stored, recounted } = await counted(id)
    expect(visits).toBe(new Set(rows.map(({ device, venue, at }) => `${device} ${venue} ${at}`)).size)
    expect(stored).toEqual(recounted)
  })

  test('handles midnight and both clock changes in the display zone', async () => {
    const { id } = await newService()
    // Clocks go forward on March 9 and back on November 2, at two in the morning.
    for (const from of ['2025-03-09T03:00:00Z', '2025-11-02T03:00:00Z']) await sendLines(visitsOf(id, from, 30, 400))
    const { stored, recounted } = await counted(id)
    expect(stored).toEqual(recounted)
    const hours = (day: string) =>
      stored.cells
        .map((cell) => JSON.parse(cell) as [string, number, number, number, number[]])
        .filter(([key]) => key.endsWith(` ${dayNumberOf(day)}`))
        .reduce((sum, cell) => sum + cell[4][2]!, 0)
    expect(hours('2025-03-09')).toBe(0)
    expect(hours('2025-11-02')).toBeGreaterThan(0)
  })

  test('counts for the order only what is within the service’s term', async () => {
    const { id } = await newService({ end_dt: '2025-06-10' })
    await send(
      ['2025-06-10T16:00:00Z', '2025-06-12T16:00:00Z'].map((at) => ({ service_id: id, device: 'a', venue: 'x', at, dma: 501 })),
    )
    const { completed } = await app.db.selectFrom('services').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(completed).toBe(1)
  })
})

describe('a batch of visits', () => {
  const visit = (service_id: number, more: object = {}) => ({
    ...{ service_id, device: 'phone', venue: 'shop', at: '2025-06-10T12:00:00-04:00', dma: 501 },
    ...more,
  })

  test('lists all errors of a row at once, by line and row', async () => {
    const { id } = await newService()
    const text = [
      JSON.stringify(visit(id)),
      '',
      JSON.stringify({ service_id: id, venue: 'shop', at: 'yesterday', latitude: '0x2A', dma: '0x1F5' }),
      JSON.stringify(visit(999_999, { at: 1_700_000_000 })),
      'not JSON',
      JSON.stringify(visit(id, { venue: 'new', dma: null })),
    ].join('\n')
    const answer = await admin().raw('POST', '/v3/portal/visitation/visits', text, { 'content-type': 'application/x-ndjson' })
    expect(report(answer)).toMatchObject({ added: 1, repeated: 0, refused: 4, venues_added: 1 })
    expect(report(answer).errors).toMatchObject([
      {
        line: 3,
        row: 2,
        fields: {
          device: 'device is required',
          at: 'at must be a time such as 2026-03-01T14:05:00Z, or seconds since 1970',
          latitude: 'latitude must be a number from -90 to 90',
          longitude: 'longitude is missing: a position needs both',
          dma: 'dma must be the code of a market area, such as 501',
        },
      },
      { line: 4, row: 3, fields: { service_id: 'Service 999999 was not found.' } },
      { line: 5, row: 4, fields: { line: 'line is not valid JSON' } },
      { line: 6, row: 5, fields: { venue: 'Venue new is new: send its latitude and longitude, or its dma' } },
    ])
  })

  test('accepts no visits before the service’s start, of a closed month, or in the future', async () => {
    const { id } = await newService()
    await app.write((tx) => tx.insertInto('meta').values({ key: 'visits_closed_before', value: '2025-01-01' }).execute())
    const ats = ['2023-12-31T12:00:00Z', '2024-12-31T12:00:00Z', new Date(Date.now() + 360_000).toISOString()]
    const answer = await send([...ats, new Date(Date.now() + 60_000).toISOString()].map((at) => visit(id, { at })))
    await app.write((tx) => tx.deleteFrom('meta').where('key', '=', 'visits_closed_before').execute())
    expect(report(answer).added).toBe(1)
    expect(report(answer).errors.map(({ fields }) => fields.at)).toEqual([
      "Visits before 2024-01-01 can't be added: the service starts on that day.",
      "Visits before 2025-01-01 can't be added: that month is closed.",
      'at is in the future',
    ])
  })

  test('without a valid row is a 422 with the report', async () => {
    const { id } = await newService()
    const answer = await send([visit(id, { device: '' })])
    expect([answer.status, answer.body.code, report(answer).refused]).toEqual([422, 'all_refused', 1])
  })

  test('counts unknown fields; with strict=1 they are errors, and so are unknown venues', async () => {
    const { id } = await newService()
    const rows = [visit(id, { wifi: 1 }), visit(id, { device: 'b', wifi: 2 })]
    expect(report(await send(rows))).toMatchObject({ added: 2, ignored: { wifi: 2 } })
    const strict = await send([visit(id, { wifi: 1 }), visit(id, { venue: 'other' }), visit(id, { device: 'c' })], {
      strict: true,
    })
    expect(report(strict)).toMatchObject({ added: 1, ignored: {} })
    expect(report(strict).errors.map(({ fields }) => fields)).toEqual([
      { wifi: 'wifi is not a field of a visit' },
      { venue: `There is no venue other in service ${id}` },
    ])
  })

  test('with dry=1 says what it would do, and stores nothing', async () => {
    const { id } = await newService()
    await send([visit(id)])
    const rows = [visit(id), visit(id, { device: 'b' }), visit(id, { device: 'b' }), visit(id, { venue: 'other' })]
    expect(report(await send(rows, { dry: true }))).toMatchObject({ added: 2, repeated: 2, venues_added: 1, dry: true })
    expect((await counted(id)).visits).toBe(1)
  })

  test('of more than 10,000 visits is refused as a whole, and so are 501 as JSON', async () => {
    const { id } = await newService()
    const rows = Array.from({ length: 10_001 }, () => visit(id))
    expect((await sendLines(rows)).status).toBe(413)
    expect((await send(rows.slice(0, 501))).status).toBe(422)
    expect(await app.db.selectFrom('venues').selectAll().where('service_id', '=', id).execute()).toEqual([])
  })

  test('places venues: by a position, by the nearest market, or in the market’s city', async () => {
    const { id } = await newService()
    const boston = { latitude: 42.36, longitude: -71.06 }
    await send([
      visit(id, { venue: 'position', dma: null, ...boston, venue_name: 'Harbor', address: '1 Pier' }),
      visit(id, { venue: 'market', dma: 803 }),
      visit(id, { venue: 'both', dma: 803, ...boston }),
    ])
    const venues = () => app.db.selectFrom('venues').selectAll().where('service_id', '=', id).orderBy('code').execute()
    expect(await venues()).toMatchObject([
      { code: 'both', dma: 803, placed: 'visits', ...boston },
      { code: 'market', dma: 803, placed: 'market' },
      { code: 'position', dma: 506, placed: 'visits', name: 'Harbor', address: '1 Pier', since: '2025-06-10', ...boston },
    ])
    await send([visit(id, { venue: 'market', device: 'b', dma: null, ...boston })])
    expect((await venues())[1]).toMatchObject({ dma: 803, placed: 'visits', ...boston })
    const venue = (await venues())[0]!.id
    expect(report(await send([visit(id, { venue, device: 'c' })], { strict: true }))).toMatchObject({ added: 1, venues_added: 0 })
  })

  test('is one line in the history of each service', async () => {
    const [one, two] = [await newService(), await newService()]
    await send([visit(one.id), visit(one.id, { device: 'b' }), visit(two.id), visit(two.id, { device: '' })])
    const lines = await app.db
      .selectFrom('history')
      .select(['action', 'after'])
      .where('subject', '=', 'service')
      .where('subject_id', 'in', [one.id, two.id])
      .orderBy('subject_id')
      .execute()
    expect(lines.map(({ action, after }) => [action, JSON.parse(after)])).toEqual([
      ['visit.ingest', { added: 2, errors: 1 }],
      ['visit.ingest', { added: 1, errors: 1 }],
    ])
  })

  test('shares that line with batches of the same sender within an hour, and no others', async () => {
    const { id } = await newService()
    const lines = async () =>
      (
        await app.db
          .selectFrom('history')
          .select('after')
          .where('subject', '=', 'service')
          .where('subject_id', '=', id)
          .orderBy('id')
          .execute()
      ).map(({ after }) => JSON.parse(after) as { added: number; errors: number; key?: string })
    for (const device of ['a', 'b', 'c']) await send([visit(id, { device }), visit(id, { device: '' })])
    expect(await lines()).toEqual([{ added: 3, errors: 3 }])
    const { body } = await admin().call('key.create', { name: 'Supplier', services: [id] })
    const supplier = await app.person({ authorization: `Bearer ${body.data.key}` })
    for (const device of ['d', 'e']) await supplier.call('visit.ingest', { rows: [visit(id, { device })] })
    await send([visit(id, { device: 'f' })])
    expect((await lines()).map(({ added, key }) => [added, key])).toEqual([
      [3, undefined],
      [2, 'Supplier'],
      [1, undefined],
    ])
    const { now } = app.services
    const late = now().getTime() + 3_600_001
    app.services.now = () => new Date(late)
    await send([visit(id, { device: 'g' })])
    app.services.now = now
    expect((await lines()).map(({ added }) => added)).toEqual([3, 2, 1, 1])
  })

  test('is for administrators, and for keys of the service', async () => {
    const [mine, other] = [await newService(), await newService()]
    expect((await app.as('stranger').call('visit.ingest', { rows: [visit(mine.id)] })).status).toBe(401)
    expect((await app.as('client').call('visit.ingest', { rows: [visit(mine.id)] })).status).toBe(403)
    const made = async (given: object) => {
      const { body } = await admin().call('key.create', { name: 'Supplier', ...given })
      return app.person({ authorization: `Bearer ${body.data.key}` })
    }
    const sent = async (given: object) => {
      const answer = await (await made(given)).call('visit.ingest', { rows: [visit(mine.id), visit(other.id)] })
      const { refused, errors } = report(answer as Answer)
      return [refused, ...errors.map(({ fields }) => fields.service_id)]
    }
    const refused = (id: number) => `Service ${id} was not found, or this key is not for it.`
    expect(await sent({ services: [mine.id] })).toEqual([1, refused(other.id)])
    expect(await sent({ all_services: true })).toEqual([0])
    // A key for surveys, even for all of them, covers no visits; one for services covers no respondents.
    expect(await sent({})).toEqual([2, refused(mine.id), refused(other.id)])
    const survey = await app.make.survey({ project_id: (await app.make.project({ client_id: app.client.id })).id })
    const importer = await made({ services: [mine.id] })
    expect((await importer.call('runtime.ingest', { surveyId: survey.id, rows: [] })).status).toBe(404)
    expect((await importer.call('runtime.intakeSurveys', {})).body.count).toBe(0)
  })
})

describe('raw visits', () => {
  const ROW = { device: 'phone', venue: 'shop', dma: 501 }
  const keep = (months: number) =>
    admin()
      .call('organization.edit', { visits_keep_months: months } as never)
      .then(({ status, text }) => expect(status, text).toBe(200))

  test('are recounted from their first day, also in another time zone', async () => {
    const { id } = await newService()
    await sendLines(visitsOf(id, '2025-06-10T22:00:00Z', 60, 500))
    const before = await counted(id)
    await app.write(async (tx) => {
      await tx.updateTable('visit_cells').set({ visits: 1, uniques: 1 }).where('service_id', '=', id).execute()
      await tx.updateTable('services').set({ completed: 1 }).where('id', '=', id).execute()
    })
    const { database } = app.services
    await rebuildVisits({ database, timeZone: 'Asia/Tokyo' }, undefined, { only: id })
    const elsewhere = (await counted(id)).stored.days
    expect(elsewhere).not.toEqual(before.stored.days)
    await rebuildVisits({ database, timeZone: ZONE }, undefined, { only: id })
    expect((await counted(id)).stored).toEqual(before.stored)
  })

  test('are recounted from where a job was interrupted, not from the first service', async () => {
    for (const device of ['a', 'b']) {
      const { id } = await newService()
      await send([{ ...ROW, device, service_id: id, at: '2025-06-10T12:00:00Z' }])
    }
    const { database } = app.services
    const times = async () => timesRebuilt(app.db)
    const run = async (timeZone: string, job: number, until = Number.POSITIVE_INFINITY) => {
      const stop = new AbortController()
      const from = await times()
      let all = 0
      const tell = (done: number, total: number) => {
        all = total
        if (done >= until) stop.abort()
      }
      await rebuildVisits({ database, timeZone }, tell, { job, signal: stop.signal }).catch(() => {})
      return [all, (await times()) - from]
    }
    const [all] = await run(ZONE, 71)
    expect(all).toBeGreaterThan(3)
    expect(await run(ZONE, 72, 2)).toEqual([all, 2])
    expect(await run(ZONE, 72)).toEqual([all, all! - 2])
    // Another job, or the same in another time zone, starts from the beginning.
    expect(await run(ZONE, 73, 2)).toEqual([all, 2])
    expect(await run('Asia/Tokyo', 73, 2)).toEqual([all, 2])
    expect(await run(ZONE, 74)).toEqual([all, all])
  })

  test('that are recounted while their day is rolled up stay marked', async () => {
    const { id } = await newService()
    await send([{ ...ROW, service_id: id, at: '2025-06-10T12:00:00Z' }])
    const day = dayNumberOf('2025-06-10')
    const { database } = app.services
    const world = await worldOf(app.db)
    // The day's leaves are read, then rebuilt, and only then the outdated result would be written.
    let rebuild: (() => Promise<unknown>) | null = () => rebuildVisits({ database, timeZone: ZONE }, undefined, { only: id })
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const now = result.rows.some((row) => 'devices' in row) && rebuild
        if (now) {
          rebuild = null
          await now()
        }
        return result
      },
    })
    const services = { ...app.services, database: { ...database, db } }
    await expect(rollDay(services, world, day)).rejects.toThrow(Rebuilt)
    const marked = () => app.db.selectFrom('visit_stale').selectAll().where('service_id', '=', id).execute()
    expect([rebuild, (await marked()).length]).toEqual([null, 1])
    await rollDay(services, world, day)
    expect(await marked()).toEqual([])
  })

  test('are dropped by month, what was counted stays, and their months are closed', async () => {
    const { id } = await newService()
    const rows = ['2025-03-10T12:00:00Z', '2025-04-10T12:00:00Z'].map((at) => ({ ...ROW, service_id: id, at }))
    await send(rows)
    const { stored } = await counted(id)
    expect(await dropBefore(app.services.database, '2025-04-01', ZONE)).toBe(true)
    expect(await dropBefore(app.services.database, '2025-04-01', ZONE)).toBe(false)
    const after = await counted(id)
    expect([after.visits, after.stored.cells, after.stored.venues]).toEqual([1, stored.cells, stored.venues])
    const again = report(await send(rows))
    expect([again.added, again.repeated, again.refused]).toEqual([0, 1, 1])
    expect(again.errors[0]!.fields.at).toBe("Visits before 2025-04-01 can't be added: that month is closed.")
    await rebuildVisits({ database: app.services.database, timeZone: ZONE }, undefined, { only: id })
    expect((await counted(id)).stored.cells).toEqual(stored.cells)
  })

  test('are kept longer at once, but shorter only a day after that was requested', async () => {
    const { database } = app.services
    const at = (hours: number) => followKeep(database, new Date(Date.parse('2026-01-01T00:00:00Z') + hours * 3_600_000))
    await keep(13)
    await at(-30)
    expect(await at(0)).toBe(13)
    await keep(6)
    expect([await at(1), await at(24)]).toEqual([13, 13])
    expect((await retentionOf(app.db, '2026-01-15')).asked).toEqual({
      ...{ months: 6, from: '2026-01-02T01:00:00.000Z', drops_before: '2025-07-01' },
    })
    expect(await at(25)).toBe(6)
    await keep(0)
    expect(await at(26)).toBe(0)
    await keep(13)
    await at(27)
    await keep(0)
    expect([await at(28), await at(60)]).toEqual([0, 0])
  })
})
