import type { FieldCode } from '../../contract/errorCodes.ts'
import { type VenueField, venueColumns } from '../../contract/importFields.ts'
import { MOST_VENUES } from '../../contract/importWords.ts'
import { sentenceOf } from '../../contract/issueWords.ts'
import { numberOf } from '../../contract/money.ts'
import { NewVenue, type VenueCheck } from '../../contract/service.ts'
import { invalid } from '../core/errors.ts'
import { codeOf } from '../core/input.ts'
import { marketPlaces } from '../db/markets.ts'
import { venueFault } from '../domain/visit/venueRows.ts'
import { commaHeadings, type Field, ignoredHeadings } from './fileColumns.ts'
import { inspect, previewOf, type ReadOptions, type TableSource } from './importFile.ts'
import { batchesOf, headingOf, NAMED, type Problem } from './importJob.ts'
import { POSITION_FIELDS } from './locations.ts'

/** How the columns of a file of venues are recognized. */
export const VENUE_COLUMNS: readonly Field[] = [
  {
    id: 'code',
    headings: ['code', 'venue code', 'venue id', 'store code', 'store id', 'store number', 'location id', 'site id'],
    doubtful: ['id', 'venue', 'store', 'number'],
  },
  { id: 'name', headings: ['name', 'venue name', 'store name', 'location name', 'site name'], doubtful: ['title'] },
  {
    id: 'address',
    headings: ['address', 'street', 'street address', 'full address', 'venue address', 'store address'],
    doubtful: ['location'],
  },
  ...POSITION_FIELDS,
  {
    id: 'dma',
    headings: ['dma', 'dma code', 'market area', 'market area code', 'market code'],
    doubtful: ['market'],
    fits: (cell) => marketPlaces().has(numberOf(cell)),
  },
]
const NO_CODE = 'Choose the column that holds the code.'
/** Rows of the file that are shown to choose its columns by. */
const SHOWN = 5

const isField = (name: unknown): name is VenueField => typeof name === 'string' && Object.hasOwn(venueColumns, name)

/** The field of each column as a call names them, as JSON. */
function mappingOf(sent: string): string[] {
  let columns: unknown = null
  try {
    columns = JSON.parse(sent)
  } catch {
    // Refused below.
  }
  if (!Array.isArray(columns) || !columns.every((one) => one === '' || isField(one)))
    throw invalid('mapping', `mapping must be a JSON list of ${Object.keys(venueColumns).join(', ')}, or "" to ignore a column`)
  return columns
}

/** Reads a line's venue as `service.create` takes it, or says what is wrong with its cells. */
function read(values: Record<string, string>, seen: Set<string>): NewVenue | Problem[] {
  const { code = '', dma, ...others } = values
  const parsed = NewVenue.safeParse({ ...others, code, ...(dma ? { dma } : {}) })
  const problem = (field: VenueField, code: FieldCode, message: string): Problem => ({
    field,
    value: (values[field] ?? '').slice(0, 100),
    code,
    message,
  })
  if (!parsed.success)
    return parsed.error.issues.flatMap((issue) => {
      const [field] = issue.path
      return isField(field) ? [problem(field, codeOf(issue, values), sentenceOf(venueColumns[field].label, issue, values))] : []
    })
  const fault = venueFault(parsed.data, seen)
  return fault ? [problem(fault.field, fault.code, `The venue ${fault.sentence}`)] : parsed.data
}

/** Reads a file of venues; throws 422 if it isn't a table, or has too many lines. */
export async function readVenues(
  file: TableSource,
  { mapping: sent, ...how }: Omit<ReadOptions, 'mapping'> & { mapping?: string | undefined },
) {
  const options: ReadOptions = { ...how, ...(sent ? { mapping: mappingOf(sent) } : {}) }
  const { mapping, rows } = await inspect(file, { fields: VENUE_COLUMNS, most: MOST_VENUES }, options)
  const { sheets, head, sheet, delimiter, encoding, heading_line, headings, columns, sample } = await previewOf(file, mapping)
  const check: VenueCheck = {
    ...{ rows, failed: 0, blocked: mapping.columns.includes('code') ? '' : NO_CODE, errors: [] },
    ...{ headings, columns, sample: sample.slice(0, SHOWN) },
    ...{ sheets, head, taken: { sheet, delimiter, encoding, heading_line }, other_encoding: { lines: 0, first: [] } },
    ...{ ignored_columns: ignoredHeadings(mapping), decimal_commas: commaHeadings(mapping) },
  }
  const venues: NewVenue[] = []
  if (check.blocked) return { venues, check }
  const seen = new Set<string>()
  const { other_encoding } = check
  for await (const { lines, bad, others } of batchesOf(
    { fields: VENUE_COLUMNS, read: (values) => read(values, seen) },
    file,
    mapping,
    null,
  )) {
    for (const { row } of lines) venues.push(row)
    check.failed += bad.length
    other_encoding.lines += others.length
    other_encoding.first.push(...others.slice(0, NAMED - other_encoding.first.length))
    for (const { line, problems } of bad)
      for (const { field, value, code, message } of problems)
        if (check.errors.length < NAMED) check.errors.push({ line, column: headingOf(mapping, field), value, code, message })
  }
  return { venues, check }
}
