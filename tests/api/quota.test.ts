import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Input } from '../../contract/calls.ts'
import type { Admission, Quota } from '../../contract/quota.ts'
import { lapseHolds } from '../../server/domain/quota/lapse.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { fresh, person, send } from './surveyed.ts'

type Dimensions = Input<'quota.create'>['dimensions']

let app: Fieldwork
// Each test makes a plan and dozens of requests.
vi.setConfig({ testTimeout: 60_000 })
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
})
const admin = () => app.as('admin')
const client = () => app.as('client')

const AGES = [2, 3, 4, 5, 6, 7]
const SHARES = [12.11, 17.54, 16.72, 15.65, 16.24, 21.74]
const ages = { name: 'Age', fields: ['age'], cells: AGES.map((age, at) => ({ conditions: { age: [age] }, share: SHARES[at] })) }
/** 6 ages × 2 genders, half of an age each. */
const interlock = {
  name: 'Age and gender',
  kind: 'interlock' as const,
  fields: ['age', 'gender'],
  cells: AGES.flatMap((age, at) => [
    { conditions: { age: [age], gender: ['female'] }, share: SHARES[at]! },
    { conditions: { age: [age], gender: ['male', 'other'] }, share: SHARES[at]! },
  ]),
}
const genders = (female: number, male: number) => ({
  name: 'Gender',
  fields: ['gender'],
  cells: [
    { name: 'Women', conditions: { gender: ['female'] }, target: female },
    { name: 'Men', conditions: { gender: ['male'] }, target: male },
  ],
})

/** A project's survey with a plan. */
async function planned(dimensions: Dimensions, { ordered = 475, live = true, ...settings }: Record<string, unknown> = {}) {
  const { project, survey } = await fresh(app, { ordered })
  const made = await admin().call('quota.create', { id: project.id, dimensions, ...settings })
  expect(made.status, made.text).toBe(200)
  const { id } = made.body.data
  if (live) expect((await admin().call('quota.live', { id })).status).toBe(200)
  return { project, survey, id }
}
const read = async (id: number): Promise<Quota> => (await persist(() => admin().call('quota.get', { id }))).body.data
const cellOf = (plan: Quota, name: string) => plan.dimensions.flatMap(({ cells }) => cells).find((cell) => cell.name === name)!
let serial = 0
const arrive = async (surveyId: number, profile: object, more: object = {}): Promise<Admission> => {
  const answer = await admin().call('quota.admit', { surveyId, pid: `pid${++serial}`, profile: { ...profile }, ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data[0]!
}
const complete = (surveyId: number, rows: object[]) => send(app, surveyId, rows)

/** Sends again until it is answered, as a survey does when the machine is busy. */
async function persist<A extends { status: number }>(sent: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await sent()
    if (answer.status !== 503) return answer
  }
}
const admitAll = async (surveyId: number, arrivals: object[]) =>
  (await persist(() => admin().call('quota.admit', { surveyId, arrivals }))).body.data

/** Sets the server's clock ahead for some work. */
async function ahead<T>(minutes: number, work: () => Promise<T>): Promise<T> {
  const { services } = app
  const { now } = services
  services.now = () => new Date(Date.now() + minutes * 60_000)
  try {
    // A copy of what a batch read lasts a tenth of a second.
    await delay(120)
    return await work()
  } finally {
    services.now = now
  }
}

/** Throws if a cell exceeds its ceiling, or a dimension doesn't add up to the total. */
function expectExact({ all, dimensions }: Quota, unknown = 0): void {
  const taken = ({ completes, held }: Quota['all']) => completes + held!
  for (const cell of [all, ...dimensions.flatMap(({ cells }) => cells)])
    expect(taken(cell), cell.name).toBeLessThanOrEqual(cell.target)
  for (const { name, kind, cells } of dimensions)
    if (kind !== 'concept')
      expect(
        cells.reduce((sum, cell) => sum + taken(cell), 0),
        name,
      ).toBe(taken(all) - unknown)
}

describe('what a project’s plans met', () => {
  test('its plans are listed, for client users without drafts, and arrivals are told by cell', async () => {
    const { project, survey, id } = await planned([genders(3, 1)], { ordered: 4 })
    for (const gender of ['male', 'male', 'female']) await arrive(survey.id, { gender })
    const { body } = await admin().call('quota.arrivals', { id })
    const plan = await read(id)
    const [women, men] = [cellOf(plan, 'Women'), cellOf(plan, 'Men')]
    expect(body.data.arrivals).toBe(3)
    expect(body.data.cells.find((one: { id: number }) => one.id === men.id)).toEqual({
      ...{ id: men.id, arrivals: 2, admitted: 1, refused: 1, left: 0 },
      refused_by: [{ id: men.id, count: 1 }],
    })
    expect(body.data.cells.find((one: { id: number }) => one.id === women.id)).toMatchObject({ arrivals: 1, admitted: 1 })
    const plans = async () => (await admin().call('quota.plans', { id: project.id })).body.data
    expect(await plans()).toMatchObject([{ id, survey_id: survey.id, state: 'live', total: 4, completes: 0 }])
    await admin().call('quota.end', { id })
    const { id: draft } = (await admin().call('quota.create', { id: project.id, dimensions: [] })).body.data
    expect((await plans()).map((one: { id: number }) => one.id)).toEqual([draft, id])
    expect((await client().call('quota.arrivals', { id })).status).toBe(403)
  })
})

describe('a plan', () => {
  test('targets follow from shares by largest remainder', async () => {
    const { id } = await planned([ages], { live: false })
    expect((await read(id)).dimensions[0]!.cells.map(({ target }) => target)).toEqual([58, 83, 80, 74, 77, 103])
    expect((await read(id)).all.target).toBe(475)
  })

  test('says what is wrong by name: sums, overlaps, codes, fields and the total', async () => {
    const { project } = await fresh(app, { ordered: 100 })
    const create = (dimensions: Dimensions, more: object = {}) =>
      admin().call('quota.create', { id: project.id, dimensions, ...more })
    const wrong = await create([genders(60, 50)])
    expect(wrong.status).toBe(422)
    expect(wrong.body).toMatchObject({ code: 'sum', sums: { dimension: 'Gender', targets: 110, total: 100 } })
    const twice = genders(60, 40)
    twice.cells[1]!.conditions.gender.push('female')
    expect((await create([twice])).body).toMatchObject({
      code: 'overlap',
      message: 'A person could be in “Women” and in “Men” of “Gender”.',
    })
    const unknown = genders(60, 40)
    unknown.cells[1]!.conditions.gender = ['lady']
    const refused = (await create([unknown])).body
    expect(refused.fields).toEqual({
      'dimensions.0.cells.1.conditions.gender': 'must be of female, male, other, not "lady"',
    })
    expect((await create([{ ...genders(60, 40), fields: ['shoe'] }])).body.fields).toHaveProperty(['dimensions.0.fields'])
    expect((await create([], { total: 101 })).body.fields).toEqual({ total: 'Total is at most what the project ordered, 100' })
    expect((await create([], { overage_percent: 11 })).body.fields).toEqual({ overage_percent: 'Overage is between 0 and 10' })
  })

  test('a new total is compared with the cells that it has, as an edit and as a cell', async () => {
    const partner = await app.make.partner()
    const source = { name: 'Source', fields: ['partner'], cells: [{ conditions: { partner: [partner.id] }, target: 100 }] }
    const { id } = await planned([source, genders(60, 40)], { ordered: 200, total: 100 })
    const before = await read(id)
    const lower = await admin().call('quota.edit', { id, total: 90 })
    expect([lower.status, lower.body.code]).toEqual([422, 'sum'])
    expect(lower.body).toMatchObject({
      sums: { dimension: 'Gender', targets: 100, total: 90 },
      fields: { total: 'The targets of “Gender” add up to 100, not to the total of 90.' },
    })
    const higher = await admin().call('quota.edit', { id, total: 120, note: 'More' })
    expect(higher.body).toMatchObject({ code: 'sum', sums: { dimension: 'Source', targets: 100, total: 120 } })
    const alone = await admin().call('quota.cells', { id, cells: [{ id: before.all.id, target: 90 }] })
    expect(alone.body).toMatchObject({ code: 'sum', fields: { 'cells.0.target': expect.stringContaining('“Gender”') } })
    expect(await read(id)).toEqual(before)
    const men = cellOf(before, 'Men')
    const both = [
      { id: men.id, target: 30 },
      { id: before.all.id, target: 90 },
    ]
    expect((await admin().call('quota.cells', { id, cells: both })).status).toBe(200)
    expect((await admin().call('quota.edit', { id, total: 90, note: 'The same' })).status).toBe(200)
    const free = await planned([], { ordered: 100 })
    expect((await admin().call('quota.edit', { id: free.id, total: 50 })).status).toBe(200)
  })

  test('a cell outside of the audience is unreachable', async () => {
    const { project } = await fresh(app, { ordered: 10 })
    const activity = await app.make.activity({ project_id: project.id })
    await app.make.target({ activity_id: activity.id, age: '2,3', gender: '' })
    const survey = await app.make.survey({ project_id: project.id, activity_id: activity.id })
    const answer = await admin().call('quota.create', {
      ...{ id: project.id, survey_id: survey.id },
      dimensions: [
        {
          name: 'Age',
          fields: ['age'],
          cells: [
            { conditions: { age: [2, 3] }, target: 5 },
            { conditions: { age: [7] }, target: 5 },
          ],
        },
      ],
    })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'unreachable',
      fields: { 'dimensions.0.cells.1.conditions.age': expect.any(String) },
    })
  })

  test('client users read targets and completes of live plans alone', async () => {
    const { project, id } = await planned([genders(60, 40)], { ordered: 100, live: false })
    expect((await client().call('quota.get', { id })).status).toBe(404)
    expect((await client().call('quota.ofProject', { id: project.id })).body.data).toBeNull()
    const partner = await app.make.partner()
    const shares = { name: 'Partner', fields: ['partner'], cells: [{ conditions: { partner: [partner.id] }, target: 100 }] }
    expect((await admin().call('quota.edit', { id, dimensions: [genders(60, 40), shares] })).status).toBe(200)
    await admin().call('quota.live', { id })
    const seen = (await client().call('quota.get', { id })).body.data
    expect(seen.dimensions.map(({ name }) => name)).toEqual(['Gender'])
    expect(Object.keys(seen.all).sort()).toEqual(['completes', 'conditions', 'id', 'name', 'target'])
    expect(seen).not.toHaveProperty('hold_minutes')
    expect((await client().call('quota.edit', { id, total: 50 })).status).toBe(403)
    expect((await client().call('quota.decisions', { id })).status).toBe(403)
  })

  test('one plan of a survey at a time; it goes live once and ends once', async () => {
    const { project, id, survey } = await planned([genders(60, 40)], { ordered: 100 })
    expect((await admin().call('quota.create', { id: project.id })).body.code).toBe('not_now')
    expect((await admin().call('quota.live', { id })).body.code).toBe('not_now')
    expect((await admin().call('quota.end', { id })).status).toBe(200)
    expect((await admin().call('quota.end', { id })).body.code).toBe('not_now')
    expect((await admin().call('quota.admit', { surveyId: survey.id, pid: 'late', profile: {} })).status).toBe(404)
    expect((await admin().call('quota.edit', { id, total: 50 })).body.code).toBe('not_now')
    expect((await admin().call('quota.create', { id: project.id })).status).toBe(200)
  })

  test('a stale version is a 409 with theirs', async () => {
    const { id } = await planned([genders(60, 40)], { ordered: 100 })
    const { lock_version } = await read(id)
    expect((await admin().call('quota.edit', { id, note: 'First', lock_version })).status).toBe(200)
    const answer = await admin().call('quota.edit', { id, note: 'Second', lock_version })
    expect(answer.status).toBe(409)
    expect(answer.body.code).toBe('stale')
  })
})

describe('admission', () => {
  test('57 completes and one held: refused, and admitted after eight silent minutes', async () => {
    const { survey, id } = await planned([genders(58, 42)], { ordered: 100 })
    await complete(
      survey.id,
      Array.from({ length: 57 }, () => person({ gender: 'female' })),
    )
    const first = await arrive(survey.id, { gender: 'female' }, { pid: 'first' })
    expect(first).toMatchObject({ admit: true, reason: '' })
    const women = cellOf(await read(id), 'Women')
    expect(women).toMatchObject({ completes: 57, held: 1, free: 0 })
    expect(await arrive(survey.id, { gender: 'female' })).toMatchObject({
      admit: false,
      reason: 'full',
      cell: { id: women.id, name: 'Women' },
    })
    // A heartbeat: from now on, silence counts.
    expect(await arrive(survey.id, { gender: 'female' }, { pid: 'first', rid: first.rid })).toMatchObject({
      admit: true,
      reason: 'resumed',
      rid: first.rid,
    })
    await ahead(7, async () => expect((await arrive(survey.id, { gender: 'female' })).admit).toBe(false))
    await ahead(9, async () => expect((await arrive(survey.id, { gender: 'female' })).admit).toBe(true))
    expectExact(await read(id))
    expect(cellOf(await read(id), 'Women')).toMatchObject({ refused_24h: 2 })
  })

  test('two at once with one pid get one hold', async () => {
    const { survey, id } = await planned([genders(60, 40)], { ordered: 100 })
    const both = await Promise.all([1, 2, 3, 4].map(() => arrive(survey.id, { gender: 'male' }, { pid: 'same' })))
    expect(new Set(both.map(({ rid }) => rid)).size).toBe(1)
    expect(both.every(({ admit }) => admit)).toBe(true)
    expect((await read(id)).all.held).toBe(1)
  })

  test('a complete uses its hold; another outcome releases it; the same person isn’t admitted twice', async () => {
    const { survey, id } = await planned([genders(60, 40)], { ordered: 100 })
    const one = await arrive(survey.id, { gender: 'male' }, { pid: 'one' })
    const two = await arrive(survey.id, { gender: 'female' }, { pid: 'two' })
    expect((await read(id)).all).toMatchObject({ held: 2, completes: 0 })
    const sent = await complete(survey.id, [
      person({ rid: one.rid, gender: 'male' }),
      person({ rid: two.rid, outcome: 'terminates', gender: 'female' }),
    ])
    expect(sent.body.data).toMatchObject({ added: 2, beyond: 0 })
    expect((await read(id)).all).toMatchObject({ held: 0, completes: 1 })
    expect(await arrive(survey.id, { gender: 'male' }, { pid: 'one' })).toMatchObject({ admit: false, reason: 'duplicate' })
    expect(await arrive(survey.id, { gender: 'female' }, { pid: 'two' })).toMatchObject({ admit: true })
    expect(await arrive(survey.id, { gender: 'female' }, { pid: 'three', rid: one.rid })).toMatchObject({
      admit: false,
      reason: 'rid_taken',
    })
  })

  test('a complete after its release is used again if there is room, else it counts beyond', async () => {
    const { survey, id } = await planned([genders(1, 1)], { ordered: 2 })
    const late = await arrive(survey.id, { gender: 'male' })
    await ahead(60, async () => {
      expect(await lapseHolds(app.services)).toBeGreaterThan(0)
    })
    expect((await read(id)).all.held).toBe(0)
    expect((await complete(survey.id, [person({ rid: late.rid, gender: 'male' })])).body.data.beyond).toBe(0)
    expect((await read(id)).all.completes).toBe(1)
    const slow = await arrive(survey.id, { gender: 'female' })
    await ahead(60, async () => {
      const quick = await arrive(survey.id, { gender: 'female' })
      expect(quick.admit).toBe(true)
      expect((await complete(survey.id, [person({ rid: quick.rid, gender: 'female' })])).body.data.beyond).toBe(0)
    })
    const answer = await complete(survey.id, [person({ rid: slow.rid, gender: 'female' })])
    expect(answer.body.data).toMatchObject({ added: 1, beyond: 1 })
    expect(answer.body.message).toContain('1 beyond the quotas')
    expect(await read(id)).toMatchObject({ beyond: 1, all: { completes: 2, held: 0 } })
  })

  test('a person who was admitted again after a release uses the places that they hold now', async () => {
    const { survey, id } = await planned([genders(1, 1)], { ordered: 2 })
    const first = await arrive(survey.id, { gender: 'male' }, { pid: 'twice' })
    await ahead(60, async () => {
      const second = await arrive(survey.id, { gender: 'male' }, { pid: 'twice' })
      expect(second).toMatchObject({ admit: true, reason: '' })
      expect(second.rid).not.toBe(first.rid)
      expect((await complete(survey.id, [person({ rid: first.rid, gender: 'male' })])).body.data.beyond).toBe(0)
      expect(await read(id)).toMatchObject({ beyond: 0, all: { completes: 1, held: 0 } })
      expect((await complete(survey.id, [person({ rid: second.rid, gender: 'male' })])).body.data.beyond).toBe(1)
    })
  })

  test('what is unknown is refused or admitted by the plan’s rule; a code that no cell has is outside', async () => {
    const strict = await planned([genders(60, 40)], { ordered: 100 })
    expect(await arrive(strict.survey.id, {})).toMatchObject({ admit: false, reason: 'unknown' })
    expect(await arrive(strict.survey.id, { gender: 'other' })).toMatchObject({ admit: false, reason: 'outside' })
    const kind = await planned([genders(60, 40)], { ordered: 100, unknown: 'admit' })
    expect(await arrive(kind.survey.id, {})).toMatchObject({ admit: true })
    expectExact(await read(kind.id), 1)
  })

  test('a closed cell refuses, and admits once it is open again', async () => {
    const { survey, id } = await planned([genders(60, 40)], { ordered: 100 })
    const women = cellOf(await read(id), 'Women')
    expect((await admin().call('quota.cells', { id, cells: [{ id: women.id, closed: true }] })).status).toBe(200)
    expect(await arrive(survey.id, { gender: 'female' })).toMatchObject({
      admit: false,
      reason: 'closed',
      cell: { name: 'Women' },
    })
    await admin().call('quota.cells', { id, cells: [{ id: women.id, closed: false }] })
    await delay(120)
    expect(await arrive(survey.id, { gender: 'female' })).toMatchObject({ admit: true })
  })

  test('least fill: of concepts at 40/100, 38/100 and 41/80 the second is seen', async () => {
    const concepts = {
      name: 'Concept',
      kind: 'concept' as const,
      cells: [
        { name: 'A', target: 100 },
        { name: 'B', target: 100 },
        { name: 'C', target: 80 },
      ],
    }
    const { survey, id } = await planned([concepts], { ordered: 200 })
    const { dimensions } = await read(id)
    const [a, b, c] = dimensions[0]!.cells
    await app.write(async (tx) => {
      for (const [cell, completes] of [
        [a, 40],
        [b, 38],
        [c, 41],
      ] as const)
        await tx.updateTable('quota_cells').set({ completes }).where('id', '=', cell!.id).execute()
    })
    expect((await arrive(survey.id, {})).concepts).toEqual([{ id: b!.id, name: 'B', dimension: 'Concept' }])
  })

  test('a list is decided together, and says what is wrong with each arrival', async () => {
    const { survey } = await planned([genders(60, 40)], { ordered: 100 })
    const arrivals = [
      { pid: 'a', profile: { gender: 'male' } },
      { pid: 'b', profile: { gender: 'lady' } },
    ]
    const wrong = await admin().call('quota.admit', { surveyId: survey.id, arrivals })
    expect(wrong.status).toBe(422)
    expect(wrong.body.fields).toEqual({ 'arrivals.1.profile.gender': 'gender must be one of female, male, other, not "lady"' })
    arrivals[1]!.profile.gender = 'female'
    const both = (await admin().call('quota.admit', { surveyId: survey.id, arrivals })).body.data
    expect(both.map(({ pid, admit }) => [pid, admit])).toEqual([
      ['a', true],
      ['b', true],
    ])
    const odd = await admin().call('quota.admit', { surveyId: survey.id, pid: 'c', profile: { shoe: 44 } })
    expect(odd.body.fields).toHaveProperty(['profile.shoe'])
  })

  test('a dry run decides nothing', async () => {
    const { survey, id } = await planned([genders(60, 40)], { ordered: 100 })
    const answer = await admin().call('quota.admit', { surveyId: survey.id, pid: 'a', profile: { gender: 'male' }, dry: 1 })
    expect(answer.body.data[0]).toMatchObject({ admit: true, hold_until: null })
    expect((await read(id)).all.held).toBe(0)
  })

  test('each decision is kept with its cell and the free places before', async () => {
    const { survey, id } = await planned([genders(1, 1)], { ordered: 2 })
    const one = await arrive(survey.id, { gender: 'female' })
    const two = await arrive(survey.id, { gender: 'female' })
    const women = cellOf(await read(id), 'Women')
    const list = (await admin().call('quota.decisions', { id })).body.data
    expect(list.map(({ rid, outcome, reason }) => [rid, outcome, reason])).toEqual([
      [two.rid, 'refused', 'full'],
      [one.rid, 'admitted', ''],
    ])
    expect(list[1]!.free).toContainEqual({ cell_id: women.id, free: 1 })
    expect((await admin().call('quota.decisions', { id, cell: women.id })).body.data).toHaveLength(1)
    expect((await admin().call('quota.decisions', { id, rid: one.rid })).body.data).toHaveLength(1)
  })
})

describe('editing a live plan', () => {
  /** 52 women have taken places. */
  async function taken() {
    const plan = await planned([genders(58, 42)], { ordered: 100 })
    await complete(
      plan.survey.id,
      Array.from({ length: 50 }, () => person({ gender: 'female' })),
    )
    for (let nth = 0; nth < 2; nth++) await arrive(plan.survey.id, { gender: 'female' })
    return { ...plan, women: cellOf(await read(plan.id), 'Women').id }
  }

  test('lowering 58 to 50 with 52 taken is refused with both numbers', async () => {
    const { id, women } = await taken()
    const answer = await admin().call('quota.cells', { id, cells: [{ id: women, target: 50 }] })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'below_taken', taken: [{ id: women, completes: 50, held: 2, taken: 52 }] })
    expect((await admin().call('quota.cells', { id, cells: [{ id: women, target: 52 }] })).status).toBe(200)
  })

  test('the undo of a raise of 20 after 5 of them were used is refused with the cell’s name', async () => {
    const { id, women, survey } = await taken()
    const raise = await admin().call('quota.cells', { id, cells: [{ id: women, target: 78 }] })
    const undo_id = Number(raise.headers['x-undo'])
    await complete(
      survey.id,
      Array.from({ length: 11 }, () => person({ gender: 'female' })),
    )
    expect(cellOf(await read(id), 'Women')).toMatchObject({ completes: 61, held: 2 })
    const refused = await admin().call('undo.take', { id: undo_id })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'changed_since', message: expect.stringContaining('“Women”') })
    expect(cellOf(await read(id), 'Women').target).toBe(78)
  })

  test('the undo of a raise that nobody used restores the target', async () => {
    const { id, women, survey } = await taken()
    const raise = await admin().call('quota.cells', { id, cells: [{ id: women, target: 78 }] })
    await complete(survey.id, [person({ gender: 'female' })])
    expect((await admin().call('undo.take', { id: Number(raise.headers['x-undo']) })).status).toBe(200)
    expect(cellOf(await read(id), 'Women')).toMatchObject({ target: 58, completes: 51, held: 2 })
  })

  test('a new dimension matches those who are counted again; what isn’t known of them counts in none', async () => {
    const { survey, id } = await planned([genders(60, 40)], { ordered: 100 })
    await complete(survey.id, [
      person({ gender: 'female', age: 2 }),
      person({ gender: 'female' }),
      person({ gender: 'male', age: 3 }),
    ])
    await arrive(survey.id, { gender: 'male', age: 3 })
    const age = {
      name: 'Age',
      fields: ['age'],
      cells: [
        { name: 'Young', conditions: { age: [2] }, target: 50 },
        { name: 'Older', conditions: { age: [3, 4, 5, 6, 7] }, target: 50 },
      ],
    }
    const dry = await admin().call('quota.edit', { id, dimensions: [genders(60, 40), age], dry: 1 })
    expect(dry.body.foreseen).toMatchObject({ arrivals: 1, admitted: 1, newly_refused: 0 })
    expect((await read(id)).dimensions).toHaveLength(1)
    expect((await admin().call('quota.edit', { id, dimensions: [genders(60, 40), age] })).status).toBe(200)
    const plan = await read(id)
    expect(cellOf(plan, 'Young')).toMatchObject({ completes: 1, held: 0 })
    expect(cellOf(plan, 'Older')).toMatchObject({ completes: 1, held: 1 })
    expect(cellOf(plan, 'Women')).toMatchObject({ completes: 2 })
    const tight = {
      ...age,
      cells: [
        { ...age.cells[0]!, target: 99 },
        { ...age.cells[1]!, target: 1 },
      ],
    }
    expect((await admin().call('quota.edit', { id, dimensions: [genders(60, 40), tight] })).body.code).toBe('below_taken')
  })

  test('a dry run says whom the last week’s arrivals would have met', async () => {
    const { survey, id } = await planned([genders(1, 1)], { ordered: 100, total: 2 })
    for (let nth = 0; nth < 3; nth++) await arrive(survey.id, { gender: 'female' })
    const answer = await admin().call('quota.edit', { id, total: 3, dimensions: [genders(2, 1)], dry: 1 })
    expect(answer.body.foreseen).toMatchObject({ arrivals: 3, admitted: 2, refused: 1, newly_admitted: 1, newly_refused: 0 })
  })
})

describe('completes', () => {
  test('those that a survey has take their places when the plan goes live', async () => {
    const { survey, id } = await planned([genders(2, 40)], { ordered: 100, total: 42, live: false })
    await complete(survey.id, [
      ...Array.from({ length: 3 }, () => person({ gender: 'female' })),
      person({ gender: 'male' }),
      person(),
    ])
    const answer = await admin().call('quota.live', { id })
    expect(answer.body.message).toContain('4 completes take their places. 1 complete counts beyond it.')
    expect(await read(id)).toMatchObject({ beyond: 1, all: { completes: 4 } })
    expectExact(await read(id), 1)
  })

  test('a second plan of a survey counts the same completes, and both give their places back', async () => {
    const { project, survey, id } = await planned([genders(2, 2)], { ordered: 4 })
    const row = person({ gender: 'female' })
    await complete(survey.id, [row])
    await admin().call('quota.end', { id })
    const second = (await admin().call('quota.create', { id: project.id, dimensions: [genders(2, 2)] })).body.data.id
    expect((await admin().call('quota.live', { id: second })).status).toBe(200)
    expect((await read(second)).all.completes).toBe(1)
    await admin().call('runtime.withdraw', { surveyId: survey.id, respondentId: row.respondent_id })
    for (const plan of [id, second]) expect((await read(plan)).all.completes).toBe(0)
  })

  test('three that are withdrawn give their places back at once; one comes back if it still fits', async () => {
    const { survey, id } = await planned([genders(3, 1)], { ordered: 4 })
    const rows = Array.from({ length: 3 }, () => person({ gender: 'female' }))
    await complete(survey.id, rows)
    expect(cellOf(await read(id), 'Women').free).toBe(0)
    for (const { respondent_id } of rows)
      await admin().call('runtime.withdraw', { surveyId: survey.id, respondentId: respondent_id })
    expect(cellOf(await read(id), 'Women')).toMatchObject({ free: 3, completes: 0 })
    const [one, two] = rows.map(({ respondent_id }) => ({ surveyId: survey.id, respondentId: respondent_id }))
    expect((await admin().call('runtime.putBack', one!)).status).toBe(200)
    await complete(survey.id, [person({ gender: 'female' }), person({ gender: 'female' })])
    const refused = await admin().call('runtime.putBack', two!)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('“Women” is full')
    expect((await admin().call('runtime.putBack', { ...two!, beyond: true })).status).toBe(200)
    expect(await read(id)).toMatchObject({ beyond: 1, all: { completes: 3 } })
  })

  test('a correction moves the place to its new cell', async () => {
    const { survey, id } = await planned([genders(3, 1)], { ordered: 4 })
    const held = await arrive(survey.id, { gender: 'female' })
    const row = person({ gender: 'female', rid: held.rid })
    await complete(survey.id, [row])
    const at = { surveyId: survey.id, respondentId: row.respondent_id }
    await admin().call('runtime.correct', { ...at, outcome: 'completes', gender: 'male' })
    expect(cellOf(await read(id), 'Women').completes).toBe(0)
    expect(cellOf(await read(id), 'Men').completes).toBe(1)
    await admin().call('runtime.correct', { ...at, outcome: 'terminates', gender: 'male' })
    expect((await read(id)).all).toMatchObject({ completes: 0, held: 0 })
  })
})

describe('many at once', () => {
  test('64 senders, 1,200 arrivals, 475 places in 6 × 2 with marginals: 475 completes, none over, none turned away', async () => {
    const { survey, id } = await planned([ages, { ...interlock, cells: halved() }])
    const arrivals = Array.from({ length: 1200 }, (_, nth) => ({
      age: AGES[nth % 6],
      gender: Math.floor(nth / 6) % 2 ? 'male' : 'female',
    }))
    const counts = { admitted: 0, refused: 0, beyond: 0 }
    const sender = async () => {
      for (let next = arrivals.pop(); next; next = arrivals.pop()) {
        const [admission] = await admitAll(survey.id, [{ pid: `many${++serial}`, profile: next }])
        counts[admission!.admit ? 'admitted' : 'refused']++
        if (!admission!.admit) continue
        const rows = [person({ ...next, rid: admission!.rid })]
        counts.beyond += (await persist(() => complete(survey.id, rows))).body.data.beyond ?? 0
      }
    }
    await Promise.all(Array.from({ length: 64 }, sender))
    const plan = await read(id)
    expectExact(plan)
    expect(plan).toMatchObject({ beyond: 0, all: { completes: 475, held: 0 } })
    expect(counts).toEqual({ admitted: 475, refused: 725, beyond: 0 })
    const admitted = await app.db
      .selectFrom('quota_decisions')
      .select('rid')
      .where('plan_id', '=', id)
      .where('outcome', '=', 'admitted')
      .execute()
    expect(new Set(admitted.map(({ rid }) => rid)).size).toBe(475)
  }, 120_000)

  test('a random walk of operations keeps every dimension equal to the total', async () => {
    const { survey, id } = await planned(
      [
        genders(60, 40),
        {
          name: 'Age',
          fields: ['age'],
          cells: [
            { conditions: { age: [2, 3] }, target: 50 },
            { conditions: { age: [4, 5] }, target: 50 },
          ],
        },
      ],
      {
        ordered: 100,
        unknown: 'admit',
      },
    )
    let seed = 11
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * below)
    }
    const rids: string[] = []
    const stored: string[] = []
    for (let step = 0; step < 60; step++) {
      const arrivals = Array.from({ length: 10 }, () => ({
        pid: `walk${++serial}`,
        profile: { gender: ['female', 'male'][random(2)], age: [2, 3, 4, 5][random(4)] },
      }))
      const admitted = await admitAll(survey.id, arrivals)
      rids.push(...admitted.filter(({ admit }) => admit).map(({ rid }) => rid))
      const rows = rids
        .splice(0, random(8))
        .map((rid) => person({ rid, outcome: random(3) ? 'completes' : 'terminates', gender: 'male', age: 2 }))
      if (rows.length) await persist(() => complete(survey.id, rows))
      stored.push(...rows.filter(({ outcome }) => outcome === 'completes').map(({ respondent_id }) => respondent_id))
      for (const respondentId of stored.splice(0, random(4)))
        await persist(() => admin().call('runtime.withdraw', { surveyId: survey.id, respondentId }))
      expectExact(await read(id))
    }
    await ahead(200, async () => {
      await lapseHolds(app.services)
    })
    expectExact(await read(id))
    expect((await read(id)).all.held).toBe(0)
  }, 120_000)

  test('the table itself refuses what would exceed a ceiling', async () => {
    const { id } = await planned([genders(1, 1)], { ordered: 2 })
    const over = app.write((tx) => tx.updateTable('quota_cells').set({ held: 3 }).where('plan_id', '=', id).execute())
    await expect(over).rejects.toThrow(/check/i)
  })
})

/** The interlock's targets, which halve those of the ages. */
function halved() {
  const targets = [58, 83, 80, 74, 77, 103]
  return interlock.cells.map(({ conditions }, at) => {
    const whole = targets[Math.floor(at / 2)]!
    return { conditions, target: at % 2 ? Math.floor(whole / 2) : Math.ceil(whole / 2) }
  })
}

describe('a merge of partners', () => {
  const merge = (gone: { id: number }, stays: { id: number }) => admin().call('partner.merge', { id: gone.id, into_id: stays.id })
  const through = (name: string, cells: { ids: number[]; target: number }[]) => ({
    ...{ name, fields: ['partner'] },
    cells: cells.map(({ ids, target }) => ({ conditions: { partner: ids }, target })),
  })
  const idsOf = (plan: Quota) => plan.dimensions[0]!.cells.map(({ conditions }) => conditions.partner)

  test('takes its cells, holds and respondents along, and its undo brings them back', async () => {
    const [gone, stays, other] = [await app.make.partner(), await app.make.partner(), await app.make.partner()]
    const { id, survey } = await planned(
      [
        through('Partner', [
          { ids: [gone.id], target: 60 },
          { ids: [other.id], target: 40 },
        ]),
      ],
      { ordered: 100 },
    )
    const held = await arrive(survey.id, {}, { pid: 'a', partner_id: gone.id })
    const used = await arrive(survey.id, {}, { pid: 'b', partner_id: gone.id })
    const left = await arrive(survey.id, {}, { pid: 'c', partner_id: other.id })
    expect([held.admit, used.admit, left.admit]).toEqual([true, true, true])
    const row = person({ rid: used.rid, partner_id: gone.id })
    await complete(survey.id, [row, person({ partner_id: other.id })])
    const partnersIn = async () => ({
      holds: (
        await app.db.selectFrom('quota_holds').select(['partner_id', 'profile']).where('plan_id', '=', id).orderBy('id').execute()
      ).map(({ partner_id, profile }) => [partner_id, Number(JSON.parse(profile).partner)]),
      respondents: (
        await app.db
          .selectFrom('respondents')
          .select('partner_id')
          .where('survey_id', '=', survey.id)
          .orderBy('respondent_id')
          .execute()
      ).map(({ partner_id }) => partner_id),
    })
    const before = await partnersIn()
    const merged = await merge(gone, stays)
    expect(merged.status, merged.text).toBe(200)
    const after = (ids: (number | null)[]) => ids.map((one) => (one === gone.id ? stays.id : one))
    expect(idsOf(await read(id))).toEqual([[stays.id], [other.id]])
    expect(await partnersIn()).toEqual({ holds: before.holds.map(after), respondents: after(before.respondents) })
    expect(cellCounts(await read(id))).toEqual([
      [1, 1],
      [1, 1],
    ])
    // Either id is the same sender by now.
    for (const partner_id of [gone.id, stays.id]) {
      expect(await arrive(survey.id, {}, { pid: 'a', partner_id })).toMatchObject({ reason: 'resumed', rid: held.rid })
      expect(await arrive(survey.id, {}, { pid: `new${partner_id}`, partner_id })).toMatchObject({ admit: true })
    }
    const late = person({ partner_id: gone.id })
    await complete(survey.id, [late])
    expect((await partnersIn()).respondents).not.toContain(gone.id)
    expect(cellCounts(await read(id))).toEqual([
      [2, 3],
      [1, 1],
    ])

    const undone = await admin().call('undo.take', { id: Number(merged.headers['x-undo']) })
    expect(undone.status, undone.text).toBe(200)
    expect(idsOf(await read(id))).toEqual([[gone.id], [other.id]])
    const back = await partnersIn()
    expect(back.holds.slice(0, before.holds.length)).toEqual(before.holds)
    expect(back.respondents.slice(0, 2)).toEqual(before.respondents)
    expect(await arrive(survey.id, {}, { pid: 'd', partner_id: gone.id })).toMatchObject({ admit: true })
    expect(await arrive(survey.id, {}, { pid: 'e', partner_id: stays.id })).toMatchObject({ admit: false, reason: 'outside' })
  })

  test('is refused by name where both have cells of their own, and combines a cell that has both', async () => {
    const [gone, stays] = [await app.make.partner(), await app.make.partner()]
    const apart = through('Source', [
      { ids: [gone.id], target: 60 },
      { ids: [stays.id], target: 40 },
    ])
    const { id, project } = await planned([apart], { ordered: 100 })
    const refused = await merge(gone, stays)
    expect([refused.status, refused.body.code]).toEqual([422, 'overlap'])
    expect(refused.body.message).toContain(`“Source” of the quotas of “${project.name}”`)
    expect((await admin().call('partner.get', { id: gone.id })).status).toBe(200)
    const together = through('Source', [{ ids: [gone.id, stays.id], target: 100 }])
    expect((await admin().call('quota.edit', { id, dimensions: [together] })).status).toBe(200)
    expect((await merge(gone, stays)).status).toBe(200)
    expect(idsOf(await read(id))).toEqual([[stays.id]])
  })

  test('leaves the hold of a person who has places through both with its sender', async () => {
    const [gone, stays] = [await app.make.partner(), await app.make.partner()]
    const { id, survey } = await planned([genders(60, 40)], { ordered: 100 })
    const first = await arrive(survey.id, { gender: 'male' }, { pid: 'both', partner_id: gone.id })
    const second = await arrive(survey.id, { gender: 'male' }, { pid: 'both', partner_id: stays.id })
    expect((await merge(gone, stays)).status).toBe(200)
    expect(await arrive(survey.id, { gender: 'male' }, { pid: 'both', partner_id: gone.id })).toMatchObject({ rid: second.rid })
    const sent = await complete(survey.id, [person({ gender: 'male', rid: first.rid })])
    expect(sent.body.data.beyond).toBe(0)
    expect((await read(id)).all).toMatchObject({ completes: 1, held: 1 })
  })
})

/** Completes and holds of a plan's first dimension, by cell. */
const cellCounts = ({ dimensions }: Quota) => dimensions[0]!.cells.map(({ completes, held }) => [completes, held])

describe('the partner of an arrival or a row', () => {
  test('is refused by name if there is none, in single arrivals, lists and batches', async () => {
    const { survey } = await planned([genders(60, 40)], { ordered: 100 })
    const partner = await app.make.partner()
    const nobody = partner.id + 100_000
    const admit = (input: object) => admin().call('quota.admit', { surveyId: survey.id, ...input })
    const one = await admit({ pid: 'one', partner_id: nobody, profile: { gender: 'male' } })
    expect([one.status, one.body.fields]).toEqual([422, { partner_id: 'partner_id is not a partner' }])
    const arrivals = Array.from({ length: 500 }, (_, nth) => ({
      ...{ pid: `list${nth}`, profile: { gender: 'male' } },
      partner_id: nth === 7 || nth === 499 ? nobody : partner.id,
    }))
    const list = await admit({ arrivals })
    expect(list.body.fields).toEqual({
      'arrivals.7.partner_id': 'partner_id is not a partner',
      'arrivals.499.partner_id': 'partner_id is not a partner',
    })
    const gone = await app.make.partner()
    await admin().call('partner.remove', { id: gone.id })
    expect((await admit({ pid: 'one', partner_id: gone.id, profile: { gender: 'male' } })).status).toBe(422)
    const sent = await complete(survey.id, [
      person({ partner_id: nobody }),
      person({ partner_id: partner.id }),
      // What was sent before its partner was deleted may arrive later.
      person({ partner_id: gone.id }),
    ])
    expect(sent.body.data).toMatchObject({
      added: 2,
      refused: 1,
      errors: [{ row: 1, field: 'partner_id', message: 'partner_id is not a partner' }],
    })
  })

  test('is one of the survey’s project or its quotas for a key of some surveys', async () => {
    const [asked, named, other] = [await app.make.partner(), await app.make.partner(), await app.make.partner()]
    const source = { name: 'Source', fields: ['partner'], cells: [{ conditions: { partner: [named.id] }, target: 100 }] }
    const { project, survey } = await planned([source], { ordered: 100 })
    await app.make.assign(project.id, asked.id, 1)
    const made = await admin().call('key.create', { name: 'Panel', surveys: [survey.id], reads: false })
    const panel = app.person({ authorization: `Bearer ${made.body.data.key}` })
    const admit = (partner_id: number) => panel.call('quota.admit', { surveyId: survey.id, pid: `k${partner_id}`, partner_id })
    expect((await admit(named.id)).body.data[0]).toMatchObject({ admit: true })
    expect((await admit(asked.id)).body.data[0]).toMatchObject({ admit: false, reason: 'outside' })
    const wrong = 'partner_id is not a partner of this survey’s project'
    for (const id of [other.id, other.id + 100_000]) expect((await admit(id)).body.fields).toEqual({ partner_id: wrong })
    const rows = [named, asked, other].map(({ id }) => person({ partner_id: id }))
    const sent = await panel.call('runtime.ingest', { surveyId: survey.id, rows })
    expect(sent.body.data).toMatchObject({ added: 2, refused: 1, errors: [{ row: 3, message: wrong }] })
    const respondentId = rows[0]!.respondent_id
    const correct = (more: object) =>
      panel.call('runtime.correct', { surveyId: survey.id, respondentId, outcome: 'completes', ...more })
    expect((await correct({ partner_id: other.id })).body.fields).toEqual({ partner_id: wrong })
    expect((await correct({ partner_id: asked.id })).status).toBe(200)
  })
})
