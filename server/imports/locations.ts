import { sql } from 'kysely'
import { isZip, normalizeAddress, parseAddress, stateCode, zipFault } from '../../contract/address.ts'
import { fieldCode } from '../../contract/fieldCodes.ts'
import { foldName, readField, sentenceOf } from '../../contract/fieldKinds.ts'
import { nameKey } from '../../contract/foldText.ts'
import { locationColumns } from '../../contract/importFields.ts'
import { MOST_LOCATIONS } from '../../contract/importWords.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { readDegrees } from '../../contract/position.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import type { Change } from '../core/ports.ts'
import { noteDeletions } from '../core/tombstones.ts'
import { type Db, insertMany } from '../db/connect.ts'
import { placeFolds } from '../db/placeFolds.ts'
import { type Geocoder, geocoder, type Positioned } from '../domain/place/geocode.ts'
import { activitiesOf, emitGroups } from '../domain/place/members.ts'
import { marketOf, type Where } from '../domain/place/placeColumns.ts'
import type { Field } from './fileColumns.ts'
import type { ImportRecord } from './importFile.ts'
import type { CheckedLine, ImportKind, Line, Problem } from './importJob.ts'

/** A parsed line of a location file. */
interface Row {
  name: string
  address: string
  city: string
  state: string
  zip: string
  found: Positioned
  /** The coordinates of the file and why they aren't taken. */
  doubt: { value: string; message: string } | null
  /** The normalized address and ZIP. */
  address_key: string
  /** The same, with the city if there is no ZIP. */
  key: string
  /** The line of this file with the same address. */
  same: number | null
  /** The place known at this address, if it is stored with doubtful coordinates: it moves to the position found. */
  moves?: number
}
interface State {
  geo: Geocoder
  /** The first line of each address. */
  seen: Map<string, number>
  group_id: number | null
  named: boolean
}

/** Ids or keys in one statement. */
const SOME = 500
/** Places in one statement: both engines take 30,000 values. */
const ROWS = 1000

/** True for a house number with a word behind it, or a state with its ZIP. */
const isStreet = (cell: string) => (/^\d+[A-Za-z]?[-\s]/.test(cell) && /\s\p{L}/u.test(cell)) || /\b[A-Z]{2},? \d{5}\b/.test(cell)
const isBetween = (least: number, most: number) => (cell: string) => {
  const degrees = /^-?\d{1,3}[.,]\d{2,}$/.test(cell) ? Number(cell.replace(',', '.')) : Number.NaN
  return degrees >= least && degrees <= most
}
const isDegrees = (cell: string) => /^[+-]?\d{1,3}(?:[.,]\d*)?$/.test(cell)
const degreesOfComma = (cell: string) => (/^-?\d{1,3}(?:,\d+)?$/.test(cell) ? cell.replace(',', '.') : null)

/** How the columns of a position are recognized. */
export const POSITION_FIELDS: readonly Field[] = [
  {
    id: 'latitude',
    headings: ['latitude', 'gps latitude'],
    doubtful: ['lat', 'y'],
    fits: isDegrees,
    holds: isBetween(17, 72),
    ofComma: degreesOfComma,
  },
  {
    id: 'longitude',
    headings: ['longitude', 'gps longitude'],
    doubtful: ['long', 'lng', 'lon', 'x'],
    fits: isDegrees,
    holds: isBetween(-180, -60),
    ofComma: degreesOfComma,
  },
]

/** How a location file's columns are recognized. */
const FIELDS: readonly Field[] = [
  {
    id: 'address',
    headings: [
      'street',
      'street address',
      'address 1',
      'address1',
      'address line 1',
      'location address',
      'store address',
      'full address',
    ],
    doubtful: ['address', 'addr'],
    fits: (cell) => /\p{L}/u.test(cell) && !/@|:\/\//.test(cell),
    holds: isStreet,
    least: 0.6,
  },
  {
    id: 'name',
    headings: ['name', 'location name', 'store name', 'site name'],
    // Next to a name, these are often numbers.
    doubtful: ['location', 'store', 'place', 'site', 'branch', 'title'],
  },
  { id: 'city', headings: ['city', 'town', 'municipality', 'store city'] },
  {
    id: 'state',
    headings: ['state code', 'store state'],
    doubtful: ['state', 'st', 'province', 'region'],
    fits: (cell) => /^[a-z]{2}$/i.test(cell) || stateCode(cell) !== null,
    holds: (cell) => stateCode(cell) !== null,
  },
  {
    id: 'zip',
    headings: ['zip', 'zip code', 'zipcode', 'postal code', 'postcode', 'postal', 'zip 5', 'zip5', 'store zip'],
    holds: isZip,
  },
  ...POSITION_FIELDS,
]

/** A ZIP with its leading zero, which spreadsheets drop. */
function zipOf(text: string, geo: Geocoder): string {
  const digits = nameKey(text)
  if (isZip(text)) return digits.slice(0, 5)
  const padded = /^[1-9]\d{2,3}$/.test(digits) ? digits.padStart(5, '0') : ''
  return padded && geo.stateOf(padded) ? padded : text
}

/** A coordinate from a file; null if it is empty. */
function degreesOf(field: 'latitude' | 'longitude', text: string): number | null | Problem {
  if (!text) return null
  const read = readDegrees(field, text)
  return 'value' in read ? read.value : { field, value: text, code: read.code, message: read.fault }
}
const SWAPPED = 'latitude and longitude seem to be swapped'
/** True if the two columns fit the other way around. */
const isSwapped = ({ latitude = '', longitude = '' }: Record<string, string>): boolean =>
  [degreesOf('latitude', longitude), degreesOf('longitude', latitude)].every((one) => typeof one === 'number')
const isProblem = (one: number | null | Problem): one is Problem => typeof one === 'object' && one !== null

function read(values: Record<string, string>, line: number, { geo, seen, named }: State): Row | Problem[] {
  const problems: Problem[] = []
  const addressText = values.address ?? ''
  // In a list without names, addresses serve as names.
  const texts = { name: named ? (values.name ?? '') : addressText, address: addressText, city: values.city, state: values.state }
  const name = foldName(texts.name)
  for (const [field, text = ''] of Object.entries(texts)) {
    const column = locationColumns[field as keyof typeof texts]
    const found = readField(column, text)
    if ('fault' in found)
      problems.push({
        ...{ field, value: text.slice(0, 100), code: fieldCode(column, text) },
        message: sentenceOf(column.label, found.fault),
      })
  }
  const apart = addressText && !values.city && !values.state && !values.zip ? parseAddress(addressText) : null
  const whole = apart?.street && (apart.zip || apart.state) ? apart : null
  const { street: address, city, zip: sent } = whole ?? { street: addressText, city: values.city ?? '', zip: values.zip ?? '' }
  const state = stateCode(whole?.state ?? values.state ?? '') ?? whole?.state ?? values.state ?? ''
  const zip = zipOf(sent, geo)
  const wrongZip = zipFault(zip)
  if (wrongZip) problems.push({ field: 'zip', value: zip, code: 'format', message: wrongZip })
  const [latitude, longitude] = (['latitude', 'longitude'] as const).map((field) => degreesOf(field, values[field] ?? ''))
  if (isProblem(latitude!))
    problems.push(isSwapped(values) ? { ...latitude, message: `${latitude.message}: ${SWAPPED}` } : latitude)
  else if (isProblem(longitude!)) problems.push(longitude)
  else if ((latitude === null) !== (longitude === null))
    problems.push({
      field: latitude === null ? 'latitude' : 'longitude',
      value: '',
      code: 'required',
      message: MESSAGES.bothCoordinates,
    })
  if (problems.length) return problems
  const own = { latitude: latitude as number | null, longitude: longitude as number | null }
  const message = geo.doubtOf({ city, state, zip, ...own })
  const doubt = message ? { value: `${own.latitude}, ${own.longitude}`, message } : null
  const address_key = normalizeAddress(address, zip)
  const key = keyOf(address_key, { zip, city, state })
  // An address without letters and digits can't be a duplicate.
  const same = address_key ? (seen.get(key) ?? null) : null
  if (same === null) seen.set(key, line)
  return { name, address, city, state, zip, found: geo.positionOf({ city, state, zip, ...own }), doubt, address_key, key, same }
}

/** Without a ZIP, the same street in two cities counts as two places. */
const keyOf = (address_key: string, { zip, city, state }: Pick<Row, 'zip' | 'city' | 'state'>): string =>
  zip ? address_key : `${address_key}${nameKey(city)}|${state.toLowerCase()}`

interface Known extends Pick<Where, 'latitude' | 'longitude'> {
  id: number
  name: string
  position: Positioned['position']
  city: string
  state: string
  zip: string
  inGroup: boolean
}

/** Places at these addresses that aren't deleted, by key, oldest first. */
async function knownAt(db: Db, lines: readonly Line<Row>[], group_id: number | null): Promise<Map<string, Known[]>> {
  const keys = [...new Set(lines.map(({ row }) => row.address_key))].filter(Boolean)
  const known = new Map<string, Known[]>()
  for (let at = 0; at < keys.length; at += SOME) {
    const rows = await db
      .selectFrom('places')
      .leftJoin('location_group_places as members', (join) =>
        join.onRef('members.place_id', '=', 'places.id').on('members.group_id', '=', group_id ?? 0),
      )
      .select([
        'places.id',
        'name',
        'address_key',
        'position',
        'city',
        'state',
        'zip',
        'latitude',
        'longitude',
        'members.group_id',
      ])
      .where('address_key', 'in', keys.slice(at, at + SOME))
      .where('deleted_at', 'is', null)
      .orderBy('places.id')
      .execute()
    for (const { group_id: member, address_key, ...place } of rows) {
      const key = keyOf(address_key, place)
      known.set(key, [...(known.get(key) ?? []), { ...place, inGroup: member !== null }])
    }
  }
  return known
}

const NO_POSITION = 'No position'
/** The note on an approximate position, or on coordinates that aren't taken. */
function near(row: Row, position: Positioned['position'], doubt = row.doubt): CheckedLine<Row>['notes'] {
  if (position === 'exact' && !doubt) return []
  const { city, state, zip, address } = row
  const placed = position === 'zip' ? `ZIP ${zip}` : position === 'city' ? [city, state].filter(Boolean).join(', ') : NO_POSITION
  if (!doubt) return [{ kind: 'approximate', field: 'address', value: address, message: placed }]
  const by = position === 'exact' ? 'as in the file' : `by ${placed}`
  const how = position === 'none' ? NO_POSITION : `Placed ${by}`
  return [{ kind: 'approximate', field: 'latitude', value: doubt.value, message: `${how}. ${doubt.message}.`, isDoubt: true }]
}

/** The line of a known place; one that is stored with doubtful coordinates is placed again. */
function knownLine({ line, row }: Line<Row>, place: Known, geo: Geocoder): CheckedLine<Row> {
  const message = place.position === 'exact' ? geo.doubtOf(place) : null
  const record_id = place.id
  if (!message) return { line, row, is: 'known', record_id, notes: near(row, place.position) }
  const doubt = row.doubt ?? { value: `${place.latitude}, ${place.longitude}`, message: `“${place.name}” was wrong: ${message}` }
  return { line, row: { ...row, moves: place.id }, is: 'known', record_id, notes: near(row, row.found.position, doubt) }
}

async function check(db: Db, lines: readonly Line<Row>[], { group_id, geo }: State): Promise<CheckedLine<Row>[]> {
  const known = await knownAt(db, lines, group_id)
  return lines.map(({ line, row }) => {
    const repeat = (message: string, record_id?: number): CheckedLine<Row> => ({
      ...{ line, row, is: 'repeat' },
      notes: [{ kind: 'repeat', field: 'address', value: row.address, message }],
      ...(record_id === undefined ? {} : { record_id }),
    })
    if (row.same !== null) return repeat(`same as line ${row.same}`)
    const there = known.get(row.key) ?? []
    const member = there.find(({ inGroup }) => inGroup)
    if (member) return repeat(`as “${member.name}”`, member.id)
    const place = there.find(({ name }) => nameKey(name) === nameKey(row.name)) ?? there[0]
    if (place) return knownLine({ line, row }, place, geo)
    return { line, row, is: 'new', notes: near(row, row.found.position) }
  })
}

/** Places a known location again, as its stored coordinates are far from its address. */
async function movePlace(ctx: Ctx, id: number, found: Positioned): Promise<void> {
  await change(ctx, 'places', {
    subject: 'location',
    id,
    patch: { ...found, dma: marketOf(found) },
    change: { noun: 'location', audience: 'admin' },
  })
}

async function write(
  ctx: Ctx,
  imported: ImportRecord,
  checked: readonly CheckedLine<Row>[],
): Promise<ReadonlyMap<number, number>> {
  const { id: import_id, group_id, created_by } = imported
  const records = new Map<number, number>()
  const fresh = checked.filter(({ is }) => is === 'new')
  for (let at = 0; at < fresh.length; at += ROWS) {
    const some = fresh.slice(at, at + ROWS)
    const ids = await ctx.tx
      .insertInto('places')
      .values(
        some.map(({ row: { key: _, same: __, doubt: ___, moves: ____, found, ...place } }) => ({
          ...{ ...place, ...found, ...placeFolds(place), import_id, deleted_at: null },
          dma: marketOf(found),
          ...{ created_at: ctx.now, updated_at: ctx.now },
        })),
      )
      .returning('id')
      .execute()
    for (const [nth, { id }] of ids.entries()) records.set(some[nth]!.line, id)
  }
  for (const { row } of checked) if (row.moves !== undefined) await movePlace(ctx, row.moves, row.found)
  const members = checked.flatMap(({ is, line, record_id }) => {
    const place_id = record_id ?? records.get(line)
    if (is === 'repeat' || place_id === undefined) return []
    return [{ group_id: group_id!, place_id, added_at: ctx.now, added_by: created_by, import_id, line }]
  })
  await insertMany(ctx.tx, 'location_group_places', members, 'skip')
  return records
}

const notInUse = sql<boolean>`not exists (select 1 from location_group_places as members
  join location_groups as used on used.id = members.group_id
  where members.place_id = places.id and used.deleted_at is null)`

/** Emits the change of a group's places, and of the activities that target it. */
async function emitChanges(ctx: Ctx, { group_id, client_id }: ImportRecord): Promise<void> {
  if (group_id === null) return
  emitGroups(ctx, [{ id: group_id, name: '', client_id: client_id! }], await activitiesOf(ctx, [group_id]))
}

/** A deleted place, of which lists of changes tell; one event each would be too many for open workspaces. */
const asGone = ({ id }: { id: number }): Change => ({ noun: 'location', id, audience: 'admin', kind: 'drop' })

/** Location files: a client's list of stores becomes a location group. */
export const locationKind: ImportKind<Row, State> = {
  kind: 'location',
  noun: 'location',
  fields: FIELDS,
  most: MOST_LOCATIONS,
  blocked: ({ columns }) => (columns.includes('address') ? null : 'Choose the column that holds the address.'),
  begin: async (_db, imported) => ({
    geo: await geocoder(),
    seen: new Map(),
    group_id: imported.group_id,
    named: (JSON.parse(imported.mapping) as { columns: string[] }).columns.includes('name'),
  }),
  read,
  check,
  write,
  tally: (checked) => {
    const taken = checked.filter(({ is }) => is !== 'repeat').flatMap(({ notes }) => notes)
    const doubtful = taken.filter(({ isDoubt }) => isDoubt).length
    const without = taken.filter(({ message }) => message.startsWith(NO_POSITION)).length
    return { approximate: taken.length - without, no_position: without, doubtful }
  },
  async ended(ctx, imported) {
    const { group_id, created, reused } = imported
    await ctx.record({
      action: 'import.run',
      subject: 'group',
      subject_id: group_id!,
      after: { locations_added: created + reused },
    })
    await emitChanges(ctx, imported)
  },
  async discard(ctx, imported) {
    const { id, group_id, makes_group } = imported
    const { tx } = ctx
    await emitChanges(ctx, imported)
    await tx.deleteFrom('location_group_places').where('import_id', '=', id).execute()
    if (makes_group && group_id !== null) {
      for (const table of ['location_group_places', 'activity_location_groups'] as const)
        await tx.deleteFrom(table).where('group_id', '=', group_id).execute()
      await tx.deleteFrom('location_groups').where('id', '=', group_id).execute()
      ctx.emit({ noun: 'group', id: group_id, client_id: imported.client_id, audience: 'admin', kind: 'drop' })
      await tx.updateTable('imports').set({ group_id: null, makes_group: 0 }).where('id', '=', id).execute()
    }
    const gone = await tx
      .deleteFrom('places')
      .where('import_id', '=', id)
      .where(sql<boolean>`not exists (select 1 from location_group_places as members where members.place_id = places.id)`)
      .returning('id')
      .execute()
    await noteDeletions(tx, gone.map(asGone), ctx.now, false)
  },
  async takeBack(ctx, imported) {
    const { id, group_id, makes_group } = imported
    const { tx, now } = ctx
    await emitChanges(ctx, imported)
    if (makes_group && group_id !== null) {
      ctx.emit({ noun: 'group', id: group_id, client_id: imported.client_id, audience: 'admin', kind: 'drop' })
      await tx
        .updateTable('location_groups')
        .set((eb) => ({ deleted_at: now, updated_at: now, lock_version: eb('lock_version', '+', 1) }))
        .where('id', '=', group_id)
        .where('deleted_at', 'is', null)
        .execute()
    } else await tx.deleteFrom('location_group_places').where('import_id', '=', id).execute()
    const gone = await tx
      .updateTable('places')
      .set((eb) => ({ deleted_at: now, updated_at: now, lock_version: eb('lock_version', '+', 1) }))
      .where('import_id', '=', id)
      .where('deleted_at', 'is', null)
      .whereRef('updated_at', '=', 'created_at')
      .where(notInUse)
      .returning('id')
      .execute()
    await noteDeletions(tx, gone.map(asGone), now, false)
    const left = await tx
      .selectFrom('places')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('import_id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    return { removed: gone.length, kept: Number(left.count) }
  },
}
