import { beforeAll, describe, expect, test } from 'vitest'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { person, send } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
let serial = 0
const BOSTON = { city: 'Boston', state: 'MA', zip: '02108' }
const CENTER = { latitude: 42.3576, longitude: -71.0684, position: 'zip' as const, dma: 506 }
const placed = (id: number) =>
  app.db.selectFrom('places').select(['latitude', 'longitude', 'position', 'dma']).where('id', '=', id).executeTakeFirstOrThrow()

/** Imports lines of a location file to the end. */
async function imported(lines: readonly string[], dry = false) {
  const content = ['Name,Address,City,State,ZIP,Latitude,Longitude', ...lines].join('\r\n')
  const storage_key = `uploads/test-positions-${++serial}`
  await app.services.files.put(storage_key, content, 'text/csv')
  const of = { storage_key, original_name: `stores ${serial}.csv`, uploaded_by: app.admin.id, size: content.length }
  const file = await app.make.file({ ...of, kind: 'location' })
  const input = { client_id: app.client.id, name: `Positions ${serial}`, file_id: file.id, again: true, dry }
  const { status, text, body } = await admin().call('import.process', input)
  expect(status, text).toBe(200)
  if (dry) return { check: body.data.check!, id: 0, group_id: 0 }
  const job = await app.services.jobs.settled(body.data.job_id!, 30_000)
  expect([job.status, job.error]).toEqual(['done', ''])
  const { id, group_id } = (await admin().call('import.get', { id: body.data.import_id! })).body.data
  return { check: null, id, group_id: group_id! }
}
const members = async (group_id: number) =>
  app.db
    .selectFrom('location_group_places as m')
    .innerJoin('places as p', 'p.id', 'm.place_id')
    .select(['p.id', 'p.name', 'p.latitude', 'p.longitude', 'p.position', 'p.dma'])
    .where('m.group_id', '=', group_id)
    .orderBy('m.line')
    .execute()

describe('coordinates far from their address', () => {
  test('aren’t taken by the form’s calls, in either spelling, which name the likely ones', async () => {
    const sent = { name: 'North Shop', address: `${++serial} First Ave`, ...BOSTON, latitude: -71.06, longitude: 42.36 }
    const made = await admin().call('location.create', sent)
    expect(made.body.data).toMatchObject({ latitude: CENTER.latitude, longitude: CENTER.longitude, position: 'zip' })
    expect(made.body.warnings[0]).toMatch(
      /^42\.36, -71\.06 is probably meant: -71\.06, 42\.36 is [\d,]+ miles from ZIP 02108\. The location is placed by its address\.$/,
    )
    const { id } = made.body.data
    expect(await placed(id)).toEqual(CENTER)
    const edited = await admin().call('location.edit', { id, latitude: 42.36, longitude: 71.06 })
    expect(edited.body.warnings[0]).toContain('42.36, -71.06 is probably meant')
    expect(await placed(id)).toEqual(CENTER)
    const older = await admin().call('location.editOlder', { id, latitude: 42.36, longitude: 71.06 })
    expect([older.status, older.body.warnings[0]]).toEqual([200, expect.stringContaining('is probably meant')])
    const right = await admin().call('location.edit', { id, latitude: 42.36, longitude: -71.06 })
    expect(right.body.warnings).toEqual([])
    expect(await placed(id)).toEqual({ latitude: 42.36, longitude: -71.06, position: 'exact', dma: 506 })
    // They are the old address's, so that the new one is placed by itself.
    const moved = await admin().call('location.edit', { id, city: 'Seattle', state: 'WA', zip: '98101' })
    expect(moved.body.warnings[0]).toContain('miles from ZIP 98101')
    expect(await placed(id)).toMatchObject({ position: 'zip', dma: 819 })
  })

  test('0, 0 is unknown, and what is written back of a center doesn’t become exact', async () => {
    const zero = { name: 'Zero', address: `${++serial} First Ave`, ...BOSTON, latitude: 0, longitude: 0 }
    const made = await admin().call('location.create', zero)
    expect(made.body.warnings[0]).toBe('0, 0 is no position. The location is placed by its address.')
    expect(await placed(made.body.data.id)).toEqual(CENTER)
    const nowhere = await admin().call('location.create', { name: 'Nowhere', address: 'Somewhere', latitude: 0, longitude: 0 })
    expect(await placed(nowhere.body.data.id)).toEqual({ latitude: null, longitude: null, position: 'none', dma: null })
    const { latitude, longitude } = CENTER
    const again = await admin().call('location.create', { ...zero, address: `${++serial} First Ave`, latitude, longitude })
    expect(await placed(again.body.data.id)).toEqual(CENTER)
  })

  test('are questioned by the check of a file, and its locations are placed by their addresses', async () => {
    const street = () => `${++serial} Long Way`
    const lines = [
      `Swapped,${street()},Boston,MA,02108,-71.06,42.36`,
      `No sign,${street()},Boston,MA,02108,42.36,71.06`,
      `Right,${street()},Boston,MA,02108,42.36,-71.06`,
      `By city,${street()},Boston,MA,,-71.06,42.36`,
      `By state,${street()},,MA,,42.36,71.06`,
      `Zero,${street()},Boston,MA,02108,0,0.0`,
      `Nothing known,${street()},,,,42.36,71.06`,
    ]
    const { check } = await imported(lines, true)
    expect(check).toMatchObject({ created: 7, failed: 0, doubtful: 6, no_position: 2, approximate: 4 })
    expect(check!.doubts.map(({ line, column, value, message }) => [line, column, value, message])).toEqual([
      [2, 'Latitude', '-71.06, 42.36', expect.stringMatching(/^Placed by ZIP 02108\. 42\.36, -71\.06 is probably meant: .*\.$/)],
      [3, 'Latitude', '42.36, 71.06', expect.stringMatching(/^Placed by ZIP 02108\. 42\.36, -71\.06 is probably meant: .*\.$/)],
      [5, 'Latitude', '-71.06, 42.36', expect.stringMatching(/^Placed by Boston, MA\. 42\.36, -71\.06 is probably meant: .*\.$/)],
      [6, 'Latitude', '42.36, 71.06', expect.stringMatching(/^No position\. 42\.36, -71\.06 is probably meant: .*\.$/)],
      [7, 'Latitude', '0, 0', 'Placed by ZIP 02108. 0, 0 is no position.'],
      [8, 'Latitude', '42.36, 71.06', 'No position. 42.36, -71.06 is probably meant: no market area is near 42.36, 71.06.'],
    ])
    const { id, group_id } = await imported(lines)
    expect((await members(group_id)).map(({ name, position, dma }) => [name, position, dma])).toEqual([
      ...[
        ['Swapped', 'zip', 506],
        ['No sign', 'zip', 506],
        ['Right', 'exact', 506],
        ['By city', 'city', 506],
      ],
      ...[
        ['By state', 'none', null],
        ['Zero', 'zip', 506],
        ['Nothing known', 'none', null],
      ],
    ])
    const { body } = await admin().call('import.rows', { id, kind: 'approximate' })
    expect(body.data.map(({ line }) => line)).toEqual([2, 3, 5, 6, 7, 8])
  })

  test('swapped columns whose latitudes can’t be are named', async () => {
    const { check } = await imported([`Shop,${++serial} Pike St,Seattle,WA,98101,-122.34,47.61`], true)
    expect(check!.errors).toEqual([
      {
        line: 2,
        column: 'Latitude',
        value: '-122.34',
        code: 'range',
        message: 'Latitude -122.34 is out of range: latitude and longitude seem to be swapped',
      },
    ])
  })

  test('of a place that is known already aren’t used again by a later file', async () => {
    const address = `${++serial} Old Mistake Rd`
    const { id } = (await admin().call('location.create', { name: 'Old', address, ...BOSTON })).body.data
    const wrong = { latitude: -71.06, longitude: 42.36, position: 'exact' as const, dma: 528 }
    for (const [cells, after] of [
      [',', CENTER],
      ['42.36,-71.06', { latitude: 42.36, longitude: -71.06, position: 'exact', dma: 506 }],
    ] as const) {
      await app.db.updateTable('places').set(wrong).where('id', '=', id).execute()
      const line = `Old,${address},Boston,MA,02108,${cells}`
      const { check } = await imported([line], true)
      expect(check).toMatchObject({ created: 0, reused: 1, doubtful: 1 })
      expect(check!.doubts[0]!.message).toContain('“Old” was wrong: 42.36, -71.06 is probably meant: -71.06, 42.36 is')
      expect((await placed(id)).position, 'a check writes nothing').toBe('exact')
      await imported([line])
      expect(await placed(id)).toEqual(after)
    }
    // Now nothing is wrong with it any more.
    expect((await imported([`Old,${address},Boston,MA,02108,,`], true)).check).toMatchObject({ reused: 1, doubtful: 0 })
  })
})

describe('0, 0 as earlier releases stored it is no position', () => {
  /** The file of an answer that leads to it. */
  const fileAt = async ({ job_id, report_download_link = '' }: { job_id?: number; report_download_link?: string }) => {
    await app.services.jobs.settled(job_id!, 10_000)
    return (await app.as('stranger').raw('GET', report_download_link)).text
  }

  test('of a respondent: on the map with and without a filter, in the export and in the report', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const survey = await app.make.survey({ project_id: project.id })
    // A mile from 0, 0 is counted where earlier releases counted 0, 0 itself.
    const near = { latitude: 0.02, longitude: 0.02, dma: 501, age: 2 }
    const known = { ...near, latitude: 41.88, longitude: -87.63 }
    await send(app, survey.id, [person(near), person(near), person(known)])
    await app.write(async (tx) => {
      const zero = { latitude: 0, longitude: 0 }
      const old = tx.updateTable('respondents').set(zero).where('survey_id', '=', survey.id).where('longitude', '=', 0.02)
      expect((await old.executeTakeFirst()).numUpdatedRows).toBe(2n)
    })
    const counted = app.db.selectFrom('geo_cells').select('completes').where('survey_id', '=', survey.id).where('cell', '=', -1)
    expect(await counted.where('lat', '=', 0).where('lon', '=', 0).execute()).toEqual([{ completes: 2 }])
    for (const filter of [{}, { ageRange: '2' }]) {
      const { body } = await admin().call('runtime.geoaddress', { surveyId: survey.id, ...filter } as never)
      expect(body.data, JSON.stringify(filter)).toEqual([{ latitude: 41.9, longitude: -87.6, count: 1 }])
    }
    const files = [
      (await exported(app, admin(), 'responses', { project_id: project.id })).text,
      await fileAt((await admin().call('report.export', { project_id: project.id })).body),
    ]
    for (const text of files) {
      expect(text).toMatch(/41\.(88|9),"? ?-87\.6/)
      expect(text).not.toMatch(/[,"]0(\.0)?, ?0(\.0)?[,"]/)
    }
  })

  test('of a venue: on the map and in the export', async () => {
    const brand = await app.make.brand()
    const service = await app.make.service({ brand_id: brand.id, start_dt: '2025-01-01' })
    const venue = { service_id: service.id, dma: 501, device: 'phone', at: '2025-06-10T16:00:00Z' }
    const rows = [
      { ...venue, venue: 'zero', latitude: 40.7, longitude: -74 },
      { ...venue, venue: 'known', latitude: 40.8, longitude: -74 },
    ]
    expect((await admin().call('visit.ingest', { rows })).body.data).toMatchObject({ added: 2 })
    await app.write((tx) =>
      tx
        .updateTable('venues')
        .set({ latitude: 0, longitude: 0 })
        .where('service_id', '=', service.id)
        .where('code', '=', 'zero')
        .execute(),
    )
    const period = { bid: brand.id, date: 'custom', start: '2025-06-01', end: '2025-06-30' }
    const { body } = await admin().call('visit.locations', period as never)
    expect(body.data.map(({ latitude }) => latitude)).toEqual([40.8])
    const text = await fileAt(
      (await admin().call('visit.counts', { ...period, process: 'export', include_venue: 1 } as never)).body,
    )
    const lines = text.split('\r\n').filter((line) => /,(zero|known),/.test(line))
    expect(lines.map((line) => /,(zero|known),,,(.*),1,1$/.exec(line)?.slice(1))).toEqual([
      ['zero', ','],
      ['known', '40.8,-74'],
    ])
  })
})
