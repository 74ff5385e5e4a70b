import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { PROVIDERS, REWARD_STATUSES, type RewardStatus } from '../../contract/vocabulary.ts'
import { type Random, randomOf } from '../../server/demo/random.ts'
import { amountFlag } from '../../server/domain/entry/entryRows.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})

const STATUSES = REWARD_STATUSES.map(({ value }) => value)
const allEntries = () => app.db.selectFrom('entries').selectAll().orderBy('id').execute()

/** Computes flags by comparing with every other entry of the project. */
function flagsOf(one: Awaited<ReturnType<typeof allEntries>>[number], all: Awaited<ReturnType<typeof allEntries>>): number {
  const alive = all.filter((other) => other.project_id === one.project_id && other.status !== 'rejected')
  const email = alive.filter((other) => other.email_key === one.email_key).length > 1
  const ip = one.ip !== '' && alive.filter((other) => other.ip === one.ip).length > 1
  return (amountFlag(one.provider_id, one.amount_cents) ? 1 : 0) + (email ? 2 : 0) + (ip ? 4 : 0)
}

/** Flags and sums as stored, and as they should be. */
async function compared() {
  const all = await allEntries()
  const sums = new Map<string, [number, number]>()
  for (const entry of all) {
    const key = [entry.project_id, entry.reward_id ?? 0, entry.status, flagsOf(entry, all) ? 1 : 0].join(' ')
    const [count, cents] = sums.get(key) ?? [0, 0]
    sums.set(key, [count + 1, cents + entry.amount_cents])
  }
  const totals = await app.db.selectFrom('entry_totals').selectAll().execute()
  return {
    flags: all.map((entry) => [entry.id, entry.flags]),
    wanted: all.map((entry) => [entry.id, flagsOf(entry, all)]),
    totals: totals
      .filter((row) => Number(row.count) || Number(row.amount_cents))
      .map((row) => [
        [row.project_id, row.reward_id, row.status, row.flagged].join(' '),
        [Number(row.count), Number(row.amount_cents)],
      ])
      .sort(),
    wantedTotals: [...sums].sort(),
  }
}
async function expectMarked() {
  const { flags, wanted, totals, wantedTotals } = await compared()
  expect(flags).toEqual(wanted)
  expect(totals).toEqual(wantedTotals)
}

describe('flags and sums of entries', () => {
  test('equal a full recount after hundreds of writes of every kind', async () => {
    const projects = [await app.make.project({ client_id: app.client.id }), await app.make.project({ client_id: app.client.id })]
    const rewards = await Promise.all(projects.map(({ id }) => app.make.reward({ project_id: id })))
    const random: Random = randomOf('marks')
    const draw = () => {
      const nth = random.int(0, 1)
      return {
        project_id: projects[nth]!.id,
        reward_id: random.chance(0.8) ? rewards[nth]!.id : null,
        email: `Person${random.int(1, 12)}@mail.test`,
        ip: random.chance(0.1) ? '' : `198.51.100.${random.int(1, 15)}`,
        amount_cents: random.pick([500, 700, 1000, 10_000]),
        provider_id: random.pick(PROVIDERS).value,
        status: random.pick(STATUSES),
      }
    }
    for (let round = 0; round < 40; round++) {
      await app.make.entries(Array.from({ length: random.int(1, 6) }, draw))
      const ids = (await allEntries()).map(({ id }) => id)
      const some = ids.filter(() => random.chance(0.3)).slice(0, 8)
      if (!some.length) continue
      await app.write(async (tx) => {
        const status: RewardStatus = random.pick(STATUSES)
        await tx.updateTable('entries').set({ status }).where('id', 'in', some).execute()
        if (random.chance(0.3)) await tx.deleteFrom('entries').where('id', '=', random.pick(ids)).execute()
        if (random.chance(0.2))
          await tx.updateTable('entries').set({ amount_cents: 700 }).where('id', '=', random.pick(ids)).execute()
        if (random.chance(0.2))
          await tx
            .updateTable('entries')
            .set({ email: 'Person1@mail.test', email_key: 'person1@mail.test' })
            .where('id', '=', random.pick(ids))
            .execute()
      })
      await expectMarked()
    }
  })

  test('are restored by a rollback', async () => {
    const before = await compared()
    const [one] = await allEntries()
    const { id } = await app.make.project({ client_id: app.client.id })
    const undone = app.write(async (tx) => {
      await tx
        .insertInto('entries')
        .values({ ...one, id: one!.id + 100_000, project_id: id } as never)
        .execute()
      throw new Error('taken back')
    })
    await expect(undone).rejects.toThrow('taken back')
    expect(await compared()).toEqual(before)
  })

  test('follow what people do: paid, rejected, a second chance, cleared, undone', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    const made = []
    for (let nth = 0; nth < 6; nth++)
      made.push(await app.make.entry({ project_id: id, email: `twin${nth % 3}@mail.test`, ip: `203.0.113.${nth % 2}` }))
    const ids = made.map((entry) => entry.id)
    await app.as('admin').call('entry.redeem', { ids: ids.slice(0, 2), confirm_repeats: true })
    await expectMarked()
    const rejected = await app.as('admin').call('entry.reject', { ids: ids.slice(2, 4), reason: 'Twice' })
    await expectMarked()
    await app.as('admin').raw('POST', `/v3/portal/undo/${rejected.headers['x-undo']}`, {})
    await expectMarked()
    await app.as('admin').call('entry.clear', { id })
    await app.as('admin').call('entry.secondChance', { ids: ids.slice(4) })
    await expectMarked()
  })

  test('know the amounts each provider can pay', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    for (const { value, allowed } of PROVIDERS)
      for (const amount_cents of new Set([100, 10_000, 123, ...allowed]))
        await app.make.entry({ project_id: id, amount_cents, provider_id: value, email: `${value}-${amount_cents}@mail.test` })
    await expectMarked()
  })

  test('stay cheap for a crowd that shares one address', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    const crowd = Array.from({ length: 3_000 }, (_, nth) => ({
      project_id: id,
      email: `crowd${nth}@mail.test`,
      ip: '203.0.113.99',
    }))
    const flagged = async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from entries where project_id = ${id} and flags = 4`.execute(
        app.db,
      )
      return Number(rows[0]!.n)
    }
    const began = performance.now()
    await app.make.entries(crowd)
    expect(await flagged()).toBe(3_000)
    await app.write((tx) => tx.updateTable('entries').set({ status: 'rejected' }).where('project_id', '=', id).execute())
    expect(await flagged()).toBe(0)
    expect(performance.now() - began).toBeLessThan(15_000)
  })
})
