import { sql } from 'kysely'
import type { VisitQuery } from '../../../contract/visit.ts'
import type { Db } from '../../db/connect.ts'
import type { Days, VisitRange } from './range.ts'
import type { Reading } from './reading.ts'

/** Venues whose days are in one read. */
const VENUES = 50

/** The name of the requested brand or service. */
export async function rangeName(db: Db, { bid, service }: Pick<VisitQuery, 'bid' | 'service'>): Promise<string> {
  const names: string[] = []
  if (bid) names.push((await db.selectFrom('brands').select('name').where('id', '=', bid).executeTakeFirst())?.name ?? '')
  if (service)
    names.push((await db.selectFrom('services').select('name').where('id', '=', service).executeTakeFirst())?.name ?? '')
  return names.filter(Boolean).join(' ') || 'All brands'
}

const venuesOf = ({ services, markets }: VisitRange) => {
  const areas = markets ? sql`and v.dma in (${sql.join([...markets])})` : sql``
  return { ids: [...services], areas: sql`v.deleted_at is null ${areas}` }
}

/** The number of rows, one for each venue and day with visits. */
export async function venueLines({ db, turn }: Reading, range: VisitRange, { from, to }: Days): Promise<number> {
  const { ids, areas } = venuesOf(range)
  let lines = 0
  for (let at = 0; at < ids.length; at += 50) {
    const { rows } = await sql<{ lines: number }>`select count(*) as lines from venues v
      join visit_venue_days d on d.venue_id = v.id and d.day between ${from} and ${to}
      where v.service_id in (${sql.join(ids.slice(at, at + 50))}) and ${areas}`.execute(db)
    lines += Number(rows[0]!.lines)
    await turn()
  }
  return lines
}

/** A venue's figures of a day. */
export interface VenueLine {
  id: number
  code: string
  name: string
  address: string
  latitude: number | null
  longitude: number | null
  dma: number
  day: number
  visits: number
  uniques: number
}

/** Venues in groups, each with its days. */
export async function* venueDays({ db }: Reading, range: VisitRange, { from, to }: Days): AsyncGenerator<VenueLine[]> {
  const { ids, areas } = venuesOf(range)
  for (const service of ids)
    for (let last = 0; ; ) {
      const some = await sql<{ id: number }>`select v.id from venues v
        where v.service_id = ${service} and v.id > ${last} and ${areas} order by v.id limit ${VENUES}`.execute(db)
      const end = some.rows.at(-1)?.id
      if (end === undefined) break
      const { rows } = await sql<VenueLine>`
        select v.id, v.code, v.name, v.address, v.latitude, v.longitude, v.dma, d.day, d.visits, d.uniques from venues v
        join visit_venue_days d on d.venue_id = v.id and d.day between ${from} and ${to}
        where v.service_id = ${service} and v.id > ${last} and v.id <= ${end} and ${areas} order by v.id, d.day`.execute(db)
      last = end
      yield rows
    }
}
