import { createHash } from 'node:crypto'
import { MESSAGES } from '../../../contract/messages.ts'
import { addDays } from '../../../contract/pacing.ts'
import type { Market } from '../market.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import type { Random } from '../random.ts'
import { rowOf } from '../rowDefaults.ts'
import { uploadRows } from '../uploads.ts'

/** Location files: some imported as groups, some with errors, and one waiting for its mapping. */
const FILES = 6
const WITH_ERRORS = 2

export const locationFile = demoNoun({
  tables: ['imports', 'import_rows'],
  after: ['group', 'file', 'user', 'project'],
  first: 801,
})

/** Ids beyond those of projects' and participants' files. */
const FILES_FROM = 8_000_001
const HEADINGS = ['Store', 'Address', 'City', 'State', 'ZIP']
const FIELDS = ['name', 'address', 'city', 'state', 'zip']
const BAD = [
  [['', '88 Harbor Blvd', 'Boston', 'MA', '02110'], 'Store', '', MESSAGES.locationName],
  [['Airport Kiosk', '1 Terminal Dr', 'Boston', 'MA', '0210'], 'ZIP', '0210', 'ZIP 0210 is not a ZIP code of 5 or 9 digits'],
  [['Mall Entrance', '', 'Cambridge', 'MA', '02139'], 'Address', '', MESSAGES.locationAddress],
] as const

/** One file: its row, its content, its import and the notes on its lines. */
function fileOf(random: Random, { calendar, people, places, amounts }: Market, nth: number) {
  const isLast = nth === FILES - 1
  const group = places.groups[(nth * 2) % places.groups.length]!
  const members = isLast ? [] : (places.inGroup.get(group.id!) ?? [])
  const waiting = ['Pop-up North', 'Pop-up South', 'Pop-up Pier'].map((name, at) => [
    name,
    `${40 + at} Market St`,
    'Boston',
    'MA',
    '02109',
  ])
  const bad = nth < WITH_ERRORS ? BAD.slice(0, 3 - nth) : []
  const good = isLast ? waiting : members.map(({ name, address }) => [name, address, '', '', ''])
  const lines = [HEADINGS, ...good, ...bad.map(([cells]) => [...cells])]
  const text = lines.map((cells) => cells.join(',')).join('\r\n')
  const at = calendar.office(random, addDays(calendar.today, isLast ? -1 : -random.int(5, 90)))
  const admin = random.pick(people.admins)
  const storage_key = `uploads/demo/location-list-${nth + 1}.csv`
  const name = isLast ? 'Holiday Pop-ups' : group.name
  const mime = 'text/csv; charset=utf-8'
  const id = amounts.first.locationFile + nth
  return {
    contents: [{ key: storage_key, content: Buffer.from(text), mime }],
    files: [
      rowOf('files', at, {
        ...{ id: FILES_FROM + nth, kind: 'location' as const, asset_type: 'Location List', uploaded_by: admin },
        ...{ original_name: `${name.replaceAll(' ', '-')}.csv`, storage_key, mime, size: Buffer.byteLength(text) },
      }),
    ],
    imports: [
      {
        ...{ id, kind: 'location' as const, name, file_id: FILES_FROM + nth, project_id: null, activity_id: null, job_id: null },
        file_hash: createHash('sha256').update(text).digest('hex'),
        ...{ client_id: group.client_id, group_id: isLast ? null : group.id!, makes_group: isLast ? 0 : 1 },
        mapping: JSON.stringify({ sheet: '', delimiter: ',', headed: true, headings: HEADINGS, columns: FIELDS }),
        ...{ rows: good.length + bad.length, created: isLast ? 0 : good.length, reused: 0, repeated: 0, failed: bad.length },
        ...{ done_line: isLast ? 0 : lines.length, status: isLast ? ('checked' as const) : ('done' as const), error: '' },
        ...{
          errors_file_id: null,
          created_by: admin,
          ended_at: isLast ? null : at,
          created_at: at,
          updated_at: at,
          lock_version: 1,
        },
      },
    ],
    import_rows: bad.map(([cells, column, value, message], row) => ({
      ...{ import_id: id, line: good.length + 2 + row, kind: 'error' as const, column, value, message },
      ...{ place_id: null, entry_id: null, raw: JSON.stringify(cells) },
    })),
  }
}

export const rows: NounRows<'imports' | 'import_rows' | 'files'> = {
  rows(random, market) {
    const all = Array.from({ length: FILES }, (_, nth) => fileOf(random, market, nth))
    return {
      files: all.flatMap(({ files }) => files),
      imports: all.flatMap(({ imports }) => imports),
      import_rows: all.flatMap(({ import_rows }) => import_rows),
      contents: all.flatMap(({ contents }) => contents),
    }
  },
  ofProject: (random, market, { plan }) => uploadRows(random, market, plan),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly locationFile: typeof locationFile
  }
}
