import { expect, test } from 'vitest'
import { sendVisits } from '../../src/commands/sendVisits.ts'
import { ApiError } from '../../src/data/api.ts'

/** Sends a file to a server that refuses rows without a device. */
async function sent(text: string) {
  const sizes: number[] = []
  const bytes: number[] = []
  const file = new Blob([text])
  const result = await sendVisits(file, {
    signal: new AbortController().signal,
    progress: (done) => bytes.push(done),
    send: async (rows) => {
      sizes.push(rows.length)
      const errors = rows.flatMap(({ device }, at) =>
        device
          ? []
          : [
              {
                line: at + 1,
                row: at + 1,
                fields: { device: 'device is required' },
                field_codes: { device: 'required' as const },
              },
            ],
      )
      const added = rows.length - errors.length
      const data = { added, repeated: 0, refused: errors.length, venues_added: 1, errors, ignored: {}, dry: false }
      if (!added) throw new ApiError(422, 'all_refused', 'refused', { more: { data } })
      return { data }
    },
  })
  return { ...result, sizes, bytes, size: file.size }
}

test('a file of visits is sent 500 lines at a time, with errors by line', async () => {
  const lines = Array.from({ length: 1100 }, (_, at) => JSON.stringify(at === 700 ? { venue: 'x' } : { device: `d${at}` }))
  const { added, venues, refused, errors, sizes, bytes, size } = await sent(`\uFEFF${lines.join('\n')}\n\nnot JSON\n`)
  expect({ added, venues, refused, errors, sizes }).toEqual({
    ...{ added: 1099, venues: 3, refused: 2, sizes: [500, 500, 100] },
    errors: ['Line 1102: is not valid JSON', 'Line 701: device is required'].sort((a, b) => (a < b ? 1 : -1)),
  })
  expect(bytes.at(-1)).toBe(size)
})

test('a part without a valid line is reported like any other', async () => {
  const { added, refused, errors } = await sent('{"venue":"x"}')
  expect({ added, refused, errors }).toEqual({ added: 0, refused: 1, errors: ['Line 1: device is required'] })
})

/** The rows sent for a file, and the lines that are refused before. */
async function rowsOf(text: string) {
  const rows: unknown[] = []
  const { errors } = await sendVisits(new Blob([text]), {
    signal: new AbortController().signal,
    progress: () => {},
    send: async (sent) => {
      rows.push(...sent)
      return { data: { added: sent.length, repeated: 0, refused: 0, venues_added: 0, errors: [], ignored: {}, dry: false } }
    },
  })
  return { rows, errors }
}

test('a CSV is read by its headings, with quotes, any separator and other spellings', async () => {
  const { rows, errors } = await rowsOf(
    '\uFEFFDevice;Venue;Time;Lat;Venue name\r\nd1;C1;2026-03-01T12:00:00Z;40.5;"Main; 1 ""north"""\n\nd2;C2;;;\nd3;"C3\n',
  )
  expect(rows).toEqual([
    { device: 'd1', venue: 'C1', at: '2026-03-01T12:00:00Z', latitude: '40.5', venue_name: 'Main; 1 "north"' },
    { device: 'd2', venue: 'C2' },
  ])
  expect(errors).toEqual(['Line 5: has more cells than the heading, or a quote that doesn’t end'])
})

test('blank cells at either end of a line shift no column, and those beyond the headings are ignored', async () => {
  const { rows, errors } = await rowsOf('venue_name\tdevice\tvenue\r\n\td1\tC1\r\n\td2\t\t\t\r\n \t\r\nMain\td3\tC3\tx\r\n')
  expect(rows).toEqual([{ device: 'd1', venue: 'C1' }, { device: 'd2' }])
  expect(errors).toEqual(['Line 5: has more cells than the heading, or a quote that doesn’t end'])
})

test('a place that isn’t a number is sent as it is, for the server to refuse its line', async () => {
  const { rows } = await rowsOf('device;latitude;longitude;dma\nd1;40,5;-74.1;NYC\n')
  expect(rows).toEqual([{ device: 'd1', latitude: '40,5', longitude: '-74.1', dma: 'NYC' }])
})
