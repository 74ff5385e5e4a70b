// Lists and map of locations at 25,000 and 250,000 places on both engines, as p50 and p95 in ms:
// `node tests/bench/places.bench.ts [--rounds 20] [--engine sqlite|postgres]`.
// Places are spread over the towns of the demo; one group contains a tenth of them.
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '../../server/db/connect.ts'
import { onBothEngines, quantile } from './served.ts'

const { values } = parseArgs({ options: { engine: { type: 'string', default: '' }, rounds: { type: 'string', default: '20' } } })
const ROUNDS = Number(values.rounds)
const SIZES = [25_000, 250_000]
const ALL = '/v3/portal/locations?per_page=50'

const CALLS: [name: string, path: (round: number, group: number) => string][] = [
  ['(floor: healthz)', () => '/healthz'],
  ['50 rows', () => ALL],
  ['a deep page', (round) => `${ALL}&page=${300 + round}`],
  ['last page', () => `${ALL}&page=490`],
  ['by city', () => `${ALL}&column=city`],
  ['by state, last first', () => `${ALL}&column=state&order=desc`],
  ['of a state', () => `${ALL}&state=CA`],
  ['approximate', () => `${ALL}&position=approximate`],
  ['repeated', () => `${ALL}&repeated=yes`],
  ['searched, found often', (round) => `${ALL}&search=${['main', 'oak', 'store'][round % 3]}`],
  ['searched, found once', (round) => `${ALL}&search=Bench%20${101 + round * 7}%20`],
  ['searched, not found', () => `${ALL}&search=zzyzx`],
  ['of a group', (_, group) => `${ALL}&group_id=${group}`],
  ['points of all', () => '/v3/portal/locations/points'],
  ['groups', () => '/v3/portal/locationgroups?per_page=50'],
]

/** Adds places up to a number by copying the demo's towns, and puts every tenth into a group. */
async function fill({ db }: Database, size: number): Promise<number> {
  const towns = await db.selectFrom('places').selectAll().where('city', '<>', '').orderBy('id').limit(300).execute()
  const group = await db.selectFrom('location_groups').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  const { count, last } = await db
    .selectFrom('places')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('id').as('last')])
    .executeTakeFirstOrThrow()
  const STREETS = ['Main St', 'Oak Ave', 'Elm St', 'Harbor Rd', 'Second St', 'Market Sq']
  for (let made = Number(count); made < size; made += 500) {
    const rows = Array.from({ length: Math.min(500, size - made) }, (_, at) => {
      const n = made + at
      const town = towns[(n * 7919) % towns.length]!
      const address = `${1 + ((n * 31) % 9800)} ${STREETS[n % STREETS.length]}`
      const { id: _id, ...rest } = town
      const none = n % 100 === 0
      return {
        ...rest,
        id: Number(last) + 1 + n,
        name: `Bench ${n} Store`,
        address,
        address_key: `${address.toLowerCase()} ${town.zip}${n % 50 ? ` ${n}` : ''}`,
        position: none ? 'none' : n % 30 === 0 ? 'zip' : 'exact',
        latitude: none ? null : (town.latitude ?? 40) + (n % 997) / 2_000,
        longitude: none ? null : (town.longitude ?? -90) + (n % 991) / 2_000,
      }
    })
    await db
      .insertInto('places')
      .values(rows as never)
      .execute()
    const members = rows.filter((_, at) => at % 10 === 0).map(({ id }) => ({ group_id: group.id, place_id: id }))
    await db
      .insertInto('location_group_places')
      .values(members as never)
      .execute()
  }
  await sql`analyze`.execute(db)
  return group.id
}

for (const size of SIZES)
  await onBothEngines(
    (database) => fill(database, size),
    async ({ engine, get }, group) => {
      const times = CALLS.map((): number[] => [])
      for (let round = 0; round < ROUNDS; round++)
        for (const [at, [, path]] of CALLS.entries()) times[at]!.push(await get(path(round, group)))
      console.table(
        CALLS.map(([call], at) => ({
          engine,
          places: size,
          call,
          p50: quantile(times[at]!, 0.5),
          p95: quantile(times[at]!, 0.95),
        })),
      )
    },
    values.engine,
    'demo',
  )
