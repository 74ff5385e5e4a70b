import { z } from 'zod'
import { CivilDate, call, EffectSentence, Flag, Id, listOf, Many, one } from './call.ts'
import { FieldCodeName } from './enums.ts'
import { JSON_LIMIT } from './runtime.ts'
import { VISIT_PERIODS } from './visitPeriod.ts'

/** The error for a JSON list that is too long (decisions.md 13, "Large intake"). */
const VISIT_BATCH_MESSAGE = 'A batch as JSON holds at most 500 rows: send more as NDJSON (application/x-ndjson), a visit a line'

const code = z.union([z.string(), z.number()])
/** A visit as sent. Rows are checked one by one, so that an error names its line; here any value passes. */
const VisitRow = z.looseObject({
  service_id: code.optional().meta({ description: 'The service that the venue belongs to.' }),
  device: code
    .optional()
    .meta({ description: 'The sender’s id of the device; only a salted hash of it is kept.', example: 'a3f1-77' }),
  venue: code.optional().meta({ description: 'The venue’s code or id; an unknown code adds a venue.', example: 'NYC-01' }),
  at: code.optional().meta({ description: 'When it was: ISO text with a time zone, or seconds since 1970.' }),
  latitude: code.nullish(),
  longitude: code.nullish(),
  dma: code.nullish().meta({ description: 'The code of the venue’s market area.' }),
  venue_name: z.string().nullish(),
  address: z.string().nullish(),
})

/** Market areas: codes, or a preset's name (All DMAs, Top 10, Top 25, Top 50); missing means all. */
const dmas = Many.optional()
/** What to count: one brand or all, one of its services or all, a period and market areas (decisions.md 11). */
export const visitQuery = {
  bid: Id.optional().meta({ description: 'A brand; left out, everything that the caller may see.' }),
  service: Id.optional().meta({ description: 'A service of it.' }),
  date: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(VISIT_PERIODS))
    .default('30days')
    .meta({ description: `The period, in any case: ${VISIT_PERIODS.join(', ')}.` }),
  start: CivilDate.optional().meta({ description: 'The first day of a custom period.' }),
  end: CivilDate.optional().meta({ description: 'Its last day; left out, four days after the first.' }),
  dmas,
}
const VisitQuery = z.object(visitQuery)
export type VisitQuery = z.output<typeof VisitQuery>

/** Distinct devices: exact, or an estimate. Its error is two standard errors as a fraction: 0.006 for 0.6 %. */
const uniques = { unique: z.number(), unique_exact: z.boolean(), unique_error: z.number() }
const Sums = z.object({ total: z.number(), ...uniques })
export type VisitSums = z.output<typeof Sums>
const Counts = Sums.extend({
  /** The first day with visits, regardless of the period; null without visits. */
  start_date: z.string().nullable(),
  /** The first and last day of the period, both included. */
  filter_start_date: z.string(),
  filter_end_date: z.string(),
  by_market: z.array(
    Sums.extend({
      dma: z.number(),
      name: z.string(),
      rank: z.number().nullable(),
      venues: z.number(),
      /** Visits in the previous period; null if not requested. */
      before: z.number().nullable(),
    }),
  ),
  /** Visits by weekday (Monday first) and hour. */
  hours: z.array(z.array(z.number())),
  /** The same for the days just before; null if not requested. */
  before: Sums.extend({ start_date: z.string(), end_date: z.string() }).nullable(),
})
export type VisitCounts = z.output<typeof Counts>
/** A day of the graph; `unique` counts the devices of that day. */
const VisitDay = z.object({ date: z.string(), total: z.number(), ...uniques })
export type VisitDay = z.output<typeof VisitDay>
const Point = z.object({
  latitude: z.number(),
  longitude: z.number(),
  visits: z.number(),
  /** Visits in the previous period; null if none was requested. */
  before: z.number().nullable(),
  dma: z.number(),
  /** How many venues a square stands for; 1 for a single venue. */
  venues: z.number(),
  /** Null for a square, and for client users, who see only positions and figures (screens-visitation.md). */
  venue_id: z.number().nullable(),
  name: z.string().nullable(),
  address: z.string().nullable(),
})
export type VisitPoint = z.output<typeof Point>

const base = '/v3/portal/visitation'

/** Visits: their intake and their figures (people-and-catalogue-area 7 and 8, decisions.md 10 and 11). */
export const visitCalls = {
  'visit.counts': call({
    method: 'GET',
    path: `${base}/counts`,
    about:
      'Counts visits and unique devices of a brand, or of all, within a period and market areas. With process=export it writes them to a file and returns report_download_link.',
    input: z.object({
      ...visitQuery,
      compare_before: Flag.default(false).meta({ description: 'Adds the same figures of as many days just before.' }),
      process: z.enum(['', 'export']).default(''),
      format: z.enum(['csv', 'xlsx']).default('csv'),
      include_venue: Flag.default(false).meta({
        description: 'The file has names and addresses of venues; administrators only.',
      }),
    }),
    output: one(Counts).partial().extend({
      report_download_link: z.string().optional(),
      /** The job that creates the file. */
      job_id: z.number().optional(),
      message: z.string().optional(),
    }),
  }),
  'visit.dailyGraph': call({
    method: 'GET',
    path: `${base}/daily_graph`,
    about: 'Counts visits and unique devices for each day of a period, zeros too.',
    input: VisitQuery,
    output: z.object({ data: z.object({ visits: z.array(VisitDay), start_date: z.string(), end_date: z.string() }) }),
  }),
  'visit.locations': call({
    method: 'GET',
    path: `${base}/locations`,
    about: 'Lists venues with their visits, for the map; without a date those of all time.',
    input: z.object({ ...visitQuery, date: visitQuery.date.unwrap().optional() }),
    output: listOf(Point).extend({ total: z.number(), squares: z.boolean() }),
  }),
  'visit.ingest': call({
    method: 'POST',
    path: `${base}/visits`,
    lines: true,
    about:
      'Imports visits: up to 500 as JSON, up to 10,000 as NDJSON (application/x-ndjson), one per line. Valid rows are stored, invalid rows are reported one by one; the same device at the same venue in the same second counts once.',
    input: z.object({
      rows: z.array(VisitRow).max(JSON_LIMIT, VISIT_BATCH_MESSAGE).optional(),
      visits: z.array(VisitRow).max(JSON_LIMIT, VISIT_BATCH_MESSAGE).optional(),
      /** The service for rows that don't name one. */
      service_id: Id.optional(),
      strict: Flag.default(false).meta({ description: 'An unknown field or venue is an error.' }),
      dry: Flag.default(false).meta({ description: 'Checks and counts without storing anything.' }),
    }),
    output: z.object({
      data: z.object({
        added: z.number(),
        /** Rows that are already known, or repeat within the batch. */
        repeated: z.number(),
        refused: z.number(),
        venues_added: z.number(),
        /** The first 1,000 rows with errors: `line` of the body, `row` from 1, and each field's sentence and code. */
        errors: z.array(
          z.object({
            line: z.number(),
            row: z.number(),
            fields: z.record(z.string(), z.string()),
            field_codes: z.record(z.string(), FieldCodeName),
          }),
        ),
        /** Unknown fields with the number of rows that have them. */
        ignored: z.record(z.string(), z.number()),
        dry: z.boolean(),
      }),
      message: EffectSentence,
    }),
    refreshes: ['service', 'brand'],
  }),
} as const
