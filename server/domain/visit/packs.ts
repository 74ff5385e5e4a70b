import { type RawBuilder, sql } from 'kysely'
import type { Services } from '../../core/context.ts'
import type { Tx } from '../../db/connect.ts'
import { insertBulk } from '../runtime/insertBulk.ts'
import { chunks, type Key, type Reading } from './reading.ts'

/**
 * A pack is one row with the counts of a day or month in every market area, of one service or of all.
 * A read of any range thus takes one row for each day, not one for each day and market.
 */
export interface PackRow {
  scope: 'all' | 'service' | 'venues'
  id: number
  period: 'd' | 'm'
  start: number
  bytes: Uint8Array
}

/** A market's part of a pack; `devices` is empty if the set is too large, and stored only in its roll-up. */
export interface PackEntry {
  market: number
  visits: number
  hours: Uint8Array
  devices: Uint8Array
}

/** Larger sets of all brands aren't packed, so that rows stay small; those of services always are. */
export const PACKED_BYTES = 16_384
export const NO_DEVICES = new Uint8Array()

/** Added to markets, because presets are negative and varints can't be. */
const LOWEST = 64

/** Encodes a pack. */
export function packOf(entries: readonly PackEntry[]): Uint8Array {
  const most = entries.reduce((sum, { hours, devices }) => sum + hours.length + devices.length + 24, 0)
  const bytes = new Uint8Array(most)
  let at = 0
  const number = (value: number) => {
    let left = value
    while (left >= 128) {
      bytes[at++] = (left % 128) | 128
      left = Math.floor(left / 128)
    }
    bytes[at++] = left
  }
  const blob = (part: Uint8Array) => {
    number(part.length)
    bytes.set(part, at)
    at += part.length
  }
  for (const { market, visits, hours, devices } of entries) {
    number(market + LOWEST)
    number(visits)
    blob(hours)
    blob(devices)
  }
  return bytes.slice(0, at)
}

/** The entries of a pack, as views of its bytes. */
export function* packEntries(bytes: Uint8Array): Generator<PackEntry> {
  let at = 0
  const number = () => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = bytes[at++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }
  const blob = () => {
    const length = number()
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) yield { market: number() - LOWEST, visits: number(), hours: blob(), devices: blob() }
}

/** Writes packs, replacing existing ones. */
export async function writePacks({ database }: Pick<Services, 'database'>, tx: Tx, rows: readonly PackRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 200)
    await insertBulk(database, tx, {
      table: 'visit_packs',
      columns: { scope: 'text', scope_id: 'int', period: 'text', start_day: 'int', bytes: 'bytes' },
      rows: rows.slice(at, at + 200).map(({ scope, id, period, start, bytes }) => [scope, id, period, start, Buffer.from(bytes)]),
      onConflict: '(scope, scope_id, period, start_day) do update set bytes = excluded.bytes',
    })
}

/** Packs of a service, or of all (0), over a range of days. */
export type PackKey = readonly [id: number, from: number, to: number]

/** Reads packs by ranges of their key in one statement, like `rowsBy`. */
export async function packsBy(
  { db, engine }: Pick<Reading, 'db' | 'engine'>,
  scope: PackRow['scope'],
  period: PackRow['period'],
  keys: readonly PackKey[],
): Promise<{ day: number; bytes: Uint8Array }[]> {
  if (!keys.length) return []
  const where = (id: RawBuilder<unknown>, from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
    sql`t.scope = ${scope} and t.scope_id = ${id} and t.period = ${period} and t.start_day between ${from} and ${to}`
  if (engine === 'sqlite') {
    const at = (place: number) => sql.raw(`(k.value ->> ${place})`)
    const { rows } = await sql<{ day: number; bytes: Uint8Array }>`
      select t.start_day as day, t.bytes from json_each(${JSON.stringify(keys)}) k cross join visit_packs t
      where ${where(at(0), at(1), at(2))}`.execute(db)
    return rows
  }
  const list = (place: number) => sql`${keys.map((key) => key[place])}::bigint[]`
  const { rows } = await sql<{ day: number; bytes: Uint8Array }>`
    select t.start_day as day, t.bytes from unnest(${list(0)}, ${list(1)}, ${list(2)}) as k(id, first, last)
    cross join lateral (
      select * from visit_packs t where ${where(sql.raw('k.id'), sql.raw('k.first'), sql.raw('k.last'))} offset 0
    ) t`.execute(db)
  return rows.map(({ day, bytes }) => ({ day: Number(day), bytes }))
}

/** Pack rows in one read; those of all brands have up to 16 KB for each market area. */
const AT_ONCE = { all: 24, service: 400 }

/** Splits keys of packs into parts of about as many rows as one read takes. */
export function* packParts(scope: 'all' | 'service', keys: readonly PackKey[], period: 'm' | 'd'): Generator<PackKey[]> {
  const most = AT_ONCE[scope]
  const days = keys.map(([id, from, to]): Key => [id, 0, from, to])
  for (const part of chunks(days, period === 'm' ? most * 31 : most))
    yield part.map(([id, , from, to]): PackKey => [id, from, to])
}
