import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, expectedToDate } from '../../contract/pacing.ts'
import { ETHNICITIES, GENDERS } from '../../contract/vocabulary.ts'
import { unpackCell } from '../../server/domain/runtime/cells.ts'
import { makeRespondents } from '../support/respondents.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { question, send } from './surveyed.ts'

// Compares every figure of a family with a recount of its respondents in the parts the caller can see.
interface Family {
  parent: number
  /** The parts by id: their order, dates and cost. */
  parts: Map<number, { ordered: number; start: string; end: string; cost: number | null }>
  /** A survey of the parent itself, not deleted. */
  survey: number
  /** A child that the client user can't see, because it has a team of its own. */
  hidden: number
}

let app: Fieldwork
const families: Record<'project' | 'campaign', Family> = {} as never
const admin = () => app.as('admin')
const client = () => app.as('client')

async function makeFamily(generation: 'project' | 'campaign', seed: number): Promise<Family> {
  const today = app.make.today()
  const parts: Family['parts'] = new Map()
  const part = async (ordered: number, from: number, to: number, cost: number | null, parent_id: number | null) => {
    const dates = { start_dt: addDays(today, from), end_dt: addDays(today, to) }
    const { id } = await app.make.project({
      client_id: app.client.id,
      generation,
      parent_id,
      ordered,
      cost_cents: cost,
      name: `${generation} family ${parent_id ? 'child' : 'parent'} ${ordered}`,
      ...dates,
    })
    parts.set(id, { ordered, start: dates.start_dt, end: dates.end_dt, cost })
    return id
  }
  const respondents = async (project_id: number, count: number, at: number) => {
    const survey = await app.make.survey({ project_id })
    const { id } = await question(app, survey.id)
    expect((await send(app, survey.id, makeRespondents(count, seed + at, [id], `f${project_id}`))).body.data.added).toBe(count)
    return survey.id
  }
  const parent = await part(80, -10, 9, 150_000, null)
  const survey = await respondents(parent, 60, 1)
  const removed = await respondents(parent, 15, 2)
  await app.write((tx) => tx.updateTable('surveys').set({ deleted_at: 'now' }).where('id', '=', removed).execute())
  await respondents(await part(100, -10, -1, 900_000, parent), 90, 3)
  await respondents(await part(70, -2, 17, null, parent), 25, 4)
  const hidden = await part(40, -5, 4, 200_000, parent)
  await respondents(hidden, 33, 5)
  await app.make.team({ client_id: app.client.id, projects: [hidden] })
  const gone = await app.make.project({
    client_id: app.client.id,
    generation,
    parent_id: parent,
    ordered: 999,
    deleted_at: 'now',
  })
  await respondents(gone.id, 7, 6).catch(() => undefined)
  for (const [id, count] of [...parts.keys()].map((id, at): [number, number] => [id, at + 1]))
    for (let at = 0; at < count; at++) await app.make.entry({ project_id: id })
  return { parent, parts, survey, hidden }
}

beforeAll(async () => {
  app = await fieldwork()
  families.project = await makeFamily('project', 100)
  families.campaign = await makeFamily('campaign', 200)
  // More families, so that sorting has work to do: some without children, some with orders only in children.
  for (const generation of ['project', 'campaign'] as const) {
    for (const ordered of [285, 300, 120]) {
      const single = await app.make.project({ client_id: app.client.id, generation, ordered, cost_cents: ordered * 4000 })
      await app.write((tx) =>
        tx
          .updateTable('projects')
          .set({ delivered: ordered / 3 })
          .where('id', '=', single.id)
          .execute(),
      )
    }
    const frame = await app.make.project({ client_id: app.client.id, generation, ordered: 0, cost_cents: null })
    await app.make.project({ client_id: app.client.id, generation, parent_id: frame.id, ordered: 295, cost_cents: 50 })
  }
})

const WHO: [string, () => Person, (family: Family) => number[]][] = [
  ['an administrator', admin, (family) => [...family.parts.keys()]],
  [
    'a client user who sees some of the children',
    client,
    (family) => [...family.parts.keys()].filter((id) => id !== family.hidden),
  ],
]
const FILTERS: [string, Record<string, string>, (who: ReturnType<typeof unpackCell>) => boolean][] = [
  ['nothing', {}, () => true],
  ['age', { ageRange: '2,3' }, (who) => [2, 3].includes(who.age)],
  ['women of known income', { gender: 'female', hhi: '0,1,2,3' }, (who) => who.gender === 1 && who.hhi <= 3],
  ['notice', { notice: 'yes' }, (who) => who.notice === 1],
]

/** The respondents of some projects, from their table. */
async function respondentsOf(ids: number[], wanted: (who: ReturnType<typeof unpackCell>) => boolean = () => true) {
  const rows = await app.db.selectFrom('respondents').selectAll().where('project_id', 'in', ids).execute()
  return rows.map((row) => ({ ...row, who: unpackCell(row.cell) })).filter((row) => wanted(row.who))
}
const tally = <T>(list: readonly T[], key: (one: T) => string | number) => {
  const counts: Record<string, number> = {}
  for (const one of list) counts[key(one)] = (counts[key(one)] ?? 0) + 1
  return counts
}
const asRecord = (rows: readonly { value: string | number; count: number }[]) =>
  Object.fromEntries(rows.filter((row) => row.count).map((row) => [row.value, row.count]))
const funnel = (rows: readonly { outcome: string }[]) => {
  const outcomes = tally(rows, (row) => row.outcome)
  return {
    entrants: rows.length,
    completes_value: outcomes.completes ?? 0,
    terminates_value: outcomes.terminates ?? 0,
    overquota_value: outcomes.overquota ?? 0,
    partials_value: outcomes.partials ?? 0,
  }
}

describe.each(['project', 'campaign'] as const)('a family of the generation %s', (generation) => {
  describe.each(WHO)('for %s', (_, who, partsFor) => {
    const mine = () => partsFor(families[generation])
    const family = () => families[generation]
    /** The sums that the rows must show. */
    async function sums() {
      const parts = mine().map((id) => family().parts.get(id)!)
      const ordered = parts.reduce((sum, part) => sum + part.ordered, 0)
      const expected = parts.reduce((sum, part) => sum + expectedToDate(part.ordered, part.start, part.end, app.make.today()), 0)
      const delivered = (await respondentsOf(mine())).filter((row) => row.outcome === 'completes').length
      const cost = parts.reduce((sum, part) => sum + (part.cost ?? 0), 0)
      return { ordered, expected, delivered, cost, pacing: Math.floor((100 * delivered) / expected + 0.5) }
    }

    test('the list, the record and the Overview show the same sums', async () => {
      const { ordered, expected, delivered, pacing, cost } = await sums()
      const { body } = await who().call('project.list', { search: `${generation} family`, generation })
      const row = body.data.find((one) => one.id === family().parent)!
      const record = (await who().call('project.get', { id: family().parent })).body.data
      const summary = (await who().call('runtime.overview', { id: family().parent })).body.data.summary
      for (const one of [row, record]) {
        expect(one).toMatchObject({ ordered, num_completed_actions: ordered, delivered, completed: delivered, pacing })
        expect(one).toMatchObject({ percentage: pacing, expected, family_cost_cents: cost, cost_cents: 150_000, goal: 80 })
      }
      expect(summary).toMatchObject({ ordered, delivered, completes: delivered, pacing, expected })
      const bySurvey = (await who().call('runtime.summary', { surveyId: family().survey, scope: 'project' })).body.data
      expect(bySurvey).toMatchObject({ ordered, delivered, completes: delivered, pacing, expected })
    })

    test('the v1 spelling shows the same sums', async () => {
      const { ordered, delivered, pacing, cost } = await sums()
      const detail = (await who().call('campaign.get', { id: family().parent })).body.data
      const rows = (await who().call('campaign.list', { search: 'campaign family' })).body.data.campaigns
      for (const one of [detail, ...rows.filter((row) => row.id === family().parent)])
        expect(one).toMatchObject({
          num_completed_actions: ordered,
          goal: 80,
          completed: delivered,
          decipher: { completes_value: delivered },
          pacing,
          cost: 1500,
          family_cost: cost / 100,
        })
    })

    test('its own part is listed with the children, and they add up', async () => {
      const { data } = (await who().call('project.get', { id: family().parent })).body
      const own = (await respondentsOf([family().parent])).filter((row) => row.outcome === 'completes').length
      expect(data.own).toMatchObject({ ordered: 80, delivered: own, cost_cents: 150_000 })
      const add = (name: 'ordered' | 'delivered') => data.children.reduce((sum, child) => sum + child[name], data.own![name])
      expect([add('ordered'), add('delivered')]).toEqual([data.ordered, data.delivered])
      expect(data.trend).toEqual(
        data.own!.trend.map((own, day) => data.children.reduce((sum, child) => sum + child.trend[day]!, own)),
      )
    })

    test.each(FILTERS)('every widget is a recount of the respondents, filtered by %s', async (_name, filter, wanted) => {
      const people = await respondentsOf(mine(), wanted)
      const completes = people.filter((row) => row.outcome === 'completes')
      const { data } = (await who().call('runtime.overview', { id: family().parent, ...filter })).body
      const age = tally(completes, (row) => row.who.age || 8)
      const gender = tally(completes, (row) => GENDERS[row.who.gender - 1]?.value ?? 'unknown')
      expect(data.funnel).toMatchObject(funnel(people))
      expect(data.total).toBe(completes.length)
      expect(asRecord(data.age)).toEqual(age)
      expect(asRecord(data.gender)).toEqual(gender)
      expect(asRecord(data.hhi)).toEqual(tally(completes, (row) => (row.who.hhi === 7 ? 'unknown' : row.who.hhi)))
      expect(asRecord(data.ethnicity)).toEqual(tally(completes, (row) => ETHNICITIES[row.who.ethnicity - 1]?.value ?? 'unknown'))
      expect(data.geoaddress.reduce((sum, place) => sum + place.count, 0)).toBe(
        completes.filter((row) => row.latitude !== null).length,
      )
      expect(data.delivery_trend.reduce((sum, day) => sum + day.delivered, 0)).toBe(completes.length)
      const scoped = { surveyId: family().survey, scope: 'project' as const, ...filter }
      expect((await who().call('runtime.funnel', scoped)).body.data).toMatchObject(funnel(people))
      expect(asRecord((await who().call('runtime.age', scoped)).body.data)).toEqual(age)
      expect((await who().call('runtime.geoaddress', scoped)).body.total).toBe(
        data.geoaddress.reduce((sum, one) => sum + one.count, 0),
      )
      const older = { id: family().parent, ...filter }
      expect((await who().call('runtime.performanceFunnelV1', older)).body.data).toMatchObject(funnel(people))
      expect(asRecord((await who().call('runtime.genderV1', older)).body.data.gender)).toEqual(gender)
      const expectedCounts = tally(
        completes.flatMap((row) => Object.values(JSON.parse(row.answers || '{}') as Record<string, string>)),
        (answer) => answer,
      )
      for (const answers of [
        (await who().call('runtime.userResponses', scoped)).body.data,
        (await who().call('runtime.userResponsesV1', older)).body.data.user_responses,
      ]) {
        // Every part asks the same question, which makes one chart for all of them.
        expect(answers).toHaveLength(1)
        const rows = answers[0]!.rows.filter((row) => row.value)
        expect(Object.fromEntries(rows.map((row) => [row.label, row.value]))).toEqual(expectedCounts)
        expect(answers[0]!.answered + answers[0]!.skipped).toBe(completes.length)
      }
    })

    test('the export holds exactly the respondents that the Overview counts', async () => {
      const { text } = await exported(app, who(), 'responses', { project_id: family().parent })
      const lines = text.trimEnd().split('\r\n').slice(1)
      const ids = (await respondentsOf(mine())).map((row) => row.respondent_id)
      expect(lines.map((line) => line.split(',')[0]).sort()).toEqual(ids.sort())
      const { data } = (await who().call('runtime.overview', { id: family().parent })).body
      expect(lines).toHaveLength(data.funnel.entrants)
    })

    test('the exported list has the figures of the list', async () => {
      const { ordered, delivered, pacing, cost } = await sums()
      const columns = ['id', 'ordered', 'delivered', 'pacing', 'cost', 'own_cost']
      const { text } = await exported(app, who(), `${generation}s`, { search: `${generation} family` }, columns)
      expect(text.split('\r\n')).toContain([family().parent, ordered, delivered, pacing, cost / 100, 1500].join(','))
    })

    test.each(['ordered', 'delivered', 'pacing', 'cost', 'goal'])('sorting by %s uses the displayed figures', async (column) => {
      for (const order of ['asc', 'desc'] as const) {
        const { data } = (await who().call('project.list', { column, order, generation, per_page: 500 })).body
        const shown = data.map((row) => (column === 'cost' ? row.family_cost_cents : row[column as 'ordered']))
        const values = shown.filter((value) => value !== null)
        expect(values).toEqual([...values].sort((a, b) => (order === 'asc' ? a - b : b - a)))
        expect(shown.slice(values.length).every((value) => value === null)).toBe(true)
        const selection = (
          await who().call('list.selection', { list: `${generation}s`, filter: JSON.stringify({ column, order }) })
        ).body
        expect(selection.rows.map(([id]) => id)).toEqual(data.map((row) => row.id))
      }
    })
  })

  test('its rewards are those of all its parts: in the list, the sums, the row and in clearing', async () => {
    const { parent, parts } = families[generation]
    const all = [...parts.keys()].reduce((sum, _, at) => sum + at + 1, 0)
    const list = (await admin().call('entry.list', { id: parent, status: 'pending' })).body
    expect([list.count, list.data.length, list.totals?.find((row) => row.status === 'pending')?.count]).toEqual([all, all, all])
    expect((await admin().call('project.get', { id: parent })).body.data.pending_rewards).toBe(all)
    expect((await admin().call('entry.clear', { id: parent, dry: true })).body.data.done).toHaveLength(all)
    expect((await exported(app, admin(), 'entries', { project_id: parent })).rows()).toBe(all)
    const child = [...parts.keys()][1]!
    expect((await admin().call('entry.list', { id: child, status: 'pending' })).body.count).toBe(2)
  })
})

test('a family’s rewards name their project: in the list, its sorting, its search and the file', async () => {
  const { parent, parts } = families.project
  const names = new Map((await app.db.selectFrom('projects').select(['id', 'name']).execute()).map((row) => [row.id, row.name]))
  const all = { id: parent, status: 'pending' as const }
  const { data } = (await admin().call('entry.list', all)).body
  expect(data.map((row) => row.project_name)).toEqual(data.map((row) => names.get(row.project_id)))
  expect(new Set(data.map((row) => row.project_id)).size).toBe(parts.size)
  for (const order of ['asc', 'desc'] as const) {
    const shown = (await admin().call('entry.list', { ...all, column: 'project', order })).body.data.map(
      (row) => row.project_name,
    )
    expect(shown).toEqual([...shown].sort((a, b) => (order === 'asc' ? 1 : -1) * (a < b ? -1 : a > b ? 1 : 0)))
  }
  const child = [...parts.keys()][2]!
  const found = (await admin().call('entry.list', { ...all, search: names.get(child)! })).body
  expect([found.count, new Set(found.data.map((row) => row.project_id))]).toEqual([3, new Set([child])])
  const file = await exported(app, admin(), 'entries', { project_id: parent, column: 'project', order: 'asc' }, ['project'])
  expect(file.text.trimEnd().split('\r\n').slice(1)).toEqual(data.map((row) => row.project_name).sort())
})

test('a single project’s rewards are not found by its name, which they all share', async () => {
  const { parts } = families.project
  const child = [...parts.keys()][1]!
  const { name } = await app.db.selectFrom('projects').select('name').where('id', '=', child).executeTakeFirstOrThrow()
  expect((await admin().call('entry.list', { id: child, search: name })).body.count).toBe(0)
})

test('v1 sorts by the sums under its own names', async () => {
  for (const [column, value] of [
    ['num_completed_actions', 'num_completed_actions'],
    ['ordered', 'num_completed_actions'],
    ['completed', 'completed'],
    ['delivered', 'completed'],
  ] as const) {
    const rows = (await admin().call('campaign.list', { column, order: 'desc' })).body.data.campaigns
    const shown = rows.map((row) => row[value])
    expect(shown, column).toEqual([...shown].sort((a, b) => b - a))
  }
})

test('v1 sorts by days and names under its own names', async () => {
  const { id } = await app.make.client()
  const days = ['2026-03-01', '2026-03-05', '2026-03-03']
  for (const [at, start_dt] of days.entries())
    await app.make.project({
      client_id: id,
      generation: 'campaign',
      name: `Day ${3 - at}`,
      start_dt,
      end_dt: `2026-04-0${3 - at}`,
    })
  for (const column of ['start_date', 'end_date', 'name'] as const) {
    const rows = (await admin().call('campaign.list', { client_id: id, column, order: 'asc' })).body.data.campaigns
    const shown = rows.map((row) => row[column])
    expect(shown, column).toEqual([...shown].sort())
    expect(new Set(shown).size, column).toBe(3)
  }
})

test('statuses sort by the flow’s order, not by their stored words', async () => {
  const { id } = await app.make.client()
  const flow = [
    'requirements',
    'pricing',
    'submit_approval',
    'approved',
    'active',
    'paused',
    'completed',
    'reporting',
    'rejected',
  ] as const
  for (const status of [...flow].sort()) await app.make.project({ client_id: id, status })
  for (const order of ['asc', 'desc'] as const) {
    const { data } = (await admin().call('project.ofClient', { client_id: id, column: 'status', order })).body
    expect(data.map((row) => row.stored_status)).toEqual(order === 'asc' ? flow : [...flow].reverse())
  }
})

test('a parent without an order gets its own part with the first response, whatever its outcome', async () => {
  const parent = await app.make.project({ client_id: app.client.id, ordered: 0 })
  const child = await app.make.project({ client_id: app.client.id, parent_id: parent.id, ordered: 50 })
  const survey = await app.make.survey({ project_id: parent.id })
  const { id } = await question(app, survey.id)
  const row = async () =>
    (await admin().call('project.list', { search: `P-${parent.id}` })).body.data.find((one) => one.id === parent.id)!
  expect((await row()).own).toBeNull()
  const people = makeRespondents(4, 900, [id], 'terminated').map((one) => ({ ...one, outcome: 'terminates' as const }))
  expect((await send(app, survey.id, people)).body.data.added).toBe(4)
  expect((await row()).own).toMatchObject({ ordered: 0, delivered: 0 })
  expect((await row()).children.map((one) => one.id)).toEqual([child.id])
})

test('a parent without its own order has no own part, paces by its children and goes live on their order', async () => {
  const today = app.make.today()
  const parent = await app.make.project({
    client_id: app.client.id,
    ordered: 0,
    status: 'approved',
    start_dt: addDays(today, -90),
  })
  const dates = { start_dt: addDays(today, 1), end_dt: addDays(today, 9) }
  await app.make.project({ client_id: app.client.id, parent_id: parent.id, ordered: 50, ...dates })
  const { data } = (await admin().call('project.get', { id: parent.id })).body
  expect(data).toMatchObject({ own: null, ordered: 50, goal: 0, pacing: 0, pacing_state: 'not_started' })
  expect(data.allowed_actions).toContain('project.goLive')
})

describe('a brief list', () => {
  /** The same rows as a whole list has, made from a brief one. */
  const ruled = <R extends { rule?: number | undefined }>(rows: readonly R[], rules: readonly (readonly [unknown, unknown])[]) =>
    rows.map(({ rule, ...row }) => ({ ...row, allowed_actions: rules[rule!]![0], refused_actions: rules[rule!]![1] }))
  const bare = <R extends { id: number; children: readonly unknown[] }>(rows: readonly R[]) =>
    rows.map((row) => ({ ...row, children: [], children_count: row.children.length }))

  test.each(['admin', 'client'] as const)(
    'has the figures and rules of the whole one, without children and markets: %s',
    async (who) => {
      const call = { column: 'delivered', order: 'desc', per_page: 100 } as const
      const whole = (await app.as(who).call('project.list', { ...call, generation: 'any' })).body
      const brief = (await app.as(who).call('project.list', { ...call, generation: 'any', brief: true })).body
      expect(whole.data.some((row) => row.children.length > 1)).toBe(true)
      const unread = { targeted_location_names: [] }
      expect(ruled(brief.data, brief.rules!)).toEqual(bare(whole.data).map((row) => ({ ...row, ...unread })))
      const plain = (await app.as(who).call('project.list', { ...call, generation: 'any', brief: true, texts: false })).body
      expect(plain).toEqual({ ...brief, data: brief.data.map((row) => ({ ...row, description: '', requirements: '' })) })
      expect(brief.rules!.length).toBeLessThan(brief.data.length)
      expect(whole.rules).toBeUndefined()

      const older = (await app.as(who).call('campaign.list', {})).body.data
      const short = (await app.as(who).call('campaign.list', { brief: true })).body.data
      expect(ruled(short.campaigns, short.rules!)).toEqual(
        bare(older.campaigns).map((row) => ({ ...row, targeted_location: [] })),
      )
    },
  )
})
