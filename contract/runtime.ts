import { z } from 'zod'
import { type CallSchema, call, EffectSentence, Flag, Id, listOf, one } from './call.ts'
import { ApiStatus, enumOf, FieldCodeName, QuestionType, RewardStatus, StoredStatus } from './enums.ts'
import { splitWords } from './fieldKinds.ts'
import { paged } from './listInput.ts'
import { PACING_COLORS, PACING_STATES } from './pacing.ts'
import { PAGE } from './pages.ts'
import { RESPONDENT_FIELDS, type RespondentField, RespondentRow, respondentShape } from './respondent.ts'
import {
  AGES,
  acceptedWords,
  DWELLS,
  ETHNICITIES,
  GENDERS,
  INCOMES,
  NOTICES,
  OUTCOMES,
  type Term,
  valueOfWord,
} from './vocabulary.ts'

/** The most rows of a JSON batch (decisions.md 13, "Large intake"). */
export const JSON_LIMIT = 500
const BATCH_MESSAGE = 'A batch as JSON holds at most 500 rows: send more as NDJSON (application/x-ndjson), a respondent a line'

const words = (value: string | number | (string | number)[]): string[] =>
  [value]
    .flat()
    .flatMap((one) => splitWords(String(one)))
    .map((one) => one.trim().toLowerCase())
    .filter(Boolean)

interface Choices {
  terms: readonly Term[]
  /** Other accepted spellings of a value. */
  also?: Record<string, string>
  /** Spellings that mean all values. */
  any: readonly string[]
}

/** A demographic filter: a value, a comma list, or a repeated `name[]`. Undefined means all. */
const choice = ({ terms, also = {}, any }: Choices) => {
  const known = [...terms.map(({ value }) => String(value)), 'unknown']
  return z
    .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
    .transform((input, context) => {
      const chosen = words(input).map((word) => (Object.hasOwn(also, word) ? also[word]! : (valueOfWord(terms, word) ?? word)))
      const wrong = chosen.find((word) => !known.includes(word) && !any.includes(word) && word !== '-1')
      if (wrong !== undefined)
        context.addIssue({
          code: 'custom',
          message: `must be one of ${acceptedWords(terms)}, unknown, not "${wrong.slice(0, 40)}"`,
        })
      const kept = [...new Set(chosen.filter((word) => known.includes(word)))]
      return chosen.some((word) => any.includes(word)) || !kept.length ? undefined : kept
    })
    .optional()
}

// A plus sign in a query decodes to a blank: 65+ and 60+.
const ageRange = choice({ terms: AGES, also: { 8: 'unknown', other: 'unknown', 65: '7' }, any: ['0', 'all'] })

/** The Overview's filters (projects-area 7). ageRange: 1–7, 8 for Other, 0 and 'all' for everyone; −1 is dropped. */
export const filters = {
  ageRange,
  /** The older name for ageRange. */
  age: ageRange,
  gender: choice({ terms: GENDERS, any: ['all'] }),
  hhi: choice({ terms: INCOMES, any: ['all'] }),
  ethnicity: choice({ terms: ETHNICITIES, any: ['all'] }),
  dwellRange: choice({ terms: DWELLS, also: { 60: '60+' }, any: ['all'] }),
  notice: choice({
    terms: NOTICES,
    also: { 1: 'yes', true: 'yes', 0: 'no', false: 'no' },
    any: ['all'],
  }),
}
const Filters = z.object(filters)
export type Filters = z.output<typeof Filters>

/** A survey and the filters. */
export const ofSurvey = z.object({
  surveyId: Id,
  /** project: adds up all surveys of the survey's project, including those of its children. */
  scope: z.enum(['survey', 'project']).default('survey'),
  ...filters,
})
/** A project and the filters. */
export const ofProject = z.object({ id: Id, ...filters })

/** A bar of a widget: completes and their percentage with one decimal. Age 8 and 'unknown' mean not stated. */
export const Slice = z.object({
  value: z.union([z.string(), z.number()]),
  label: z.string(),
  count: z.number(),
  percent: z.number(),
})
export type Slice = z.infer<typeof Slice>
const Widget = listOf(Slice).extend({ total: z.number() })

/** Disjoint outcomes that add up to the entrants (decisions.md 9), and the rates derived from them. */
export const Funnel = z.object({
  entrants: z.number(),
  completes_value: z.number(),
  terminates_value: z.number(),
  overquota_value: z.number(),
  partials_value: z.number(),
  /** Percent of those screened who qualified, including overquota; null without entrants. */
  incidence: z.number().nullable(),
  /** Percent of those who began the interview and left it; null without any. */
  drop_off: z.number().nullable(),
  /** The median minutes of completes with a known start that weren't left open; null under a filter, or without any. */
  loi_minutes: z.number().nullable(),
  /** Completes that took more than 12 hours, which the median leaves out; 0 under a filter. */
  left_open: z.number(),
})
export type Funnel = z.infer<typeof Funnel>

/** A day of the delivery trend. `cumulative` is null in the future; `expected`, the plan, is null without dates. */
export const TrendDay = z.object({
  date: z.string(),
  delivered: z.number(),
  cumulative: z.number().nullable(),
  expected: z.number().nullable(),
})
export type TrendDay = z.infer<typeof TrendDay>

/** Completes near a point, rounded to a tenth of a degree or coarser to hide exact positions. */
export const GeoPoint = z.object({ latitude: z.number(), longitude: z.number(), count: z.number() })
export type GeoPoint = z.infer<typeof GeoPoint>

/** Pacing as in the lists (for a parent its children's), with the outcomes of the survey or project. */
export const Summary = z.object({
  project_id: z.number(),
  /** The requested survey; null for a whole project. */
  survey_id: z.number().nullable(),
  name: z.string(),
  status: ApiStatus,
  stored_status: StoredStatus,
  ordered: z.number(),
  delivered: z.number(),
  expected: z.number(),
  pacing: z.number(),
  pacing_color: z.enum(PACING_COLORS),
  pacing_state: z.enum(PACING_STATES),
  start_dt: z.string().nullable(),
  end_dt: z.string().nullable(),
  entrants: z.number(),
  completes: z.number(),
  terminates: z.number(),
  overquota: z.number(),
  partials: z.number(),
})
export type Summary = z.infer<typeof Summary>

/** Everything the Overview shows, read at the same moment. */
const Overview = z.object({
  summary: Summary,
  age: z.array(Slice),
  gender: z.array(Slice),
  hhi: z.array(Slice),
  ethnicity: z.array(Slice),
  marital_status: z.array(Slice),
  children: z.array(Slice),
  geoaddress: z.array(GeoPoint),
  delivery_trend: z.array(TrendDay),
  funnel: Funnel,
  /** Completes that pass the filters. */
  total: z.number(),
})

const SurveyReward = z.object({
  id: z.number(),
  email: z.string(),
  ip: z.string(),
  amount_cents: z.number(),
  provider_id: z.number(),
  status: RewardStatus,
  reason: z.string(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
})
const RespondentId = z.string().trim().min(1).max(100)
/** A respondent's rewards: rejected, pending again, or unchanged because they were or are being paid. */
const Corrected = z.object({
  respondent_id: z.string(),
  rewards_rejected: z.number(),
  rewards_restored: z.number(),
  rewards_paid: z.number(),
})
const IntakeSurvey = z.object({
  id: z.number(),
  name: z.string(),
  project_id: z.number(),
  project_name: z.string(),
  status: ApiStatus,
  stored_status: StoredStatus,
  /** Completes ordered and delivered of the project itself, without its children. */
  ordered: z.number(),
  delivered: z.number(),
  remaining: z.number(),
  /** Whether completes still count toward the order: results of a project in any status are kept. */
  in_field: z.boolean(),
})
/** What a sender may read back of a respondent: whether it arrived and counts, and nothing about the person. */
const ReceivedRespondent = z.object({
  respondent_id: z.string(),
  outcome: enumOf(OUTCOMES).nullable(),
  at: z.string().nullable(),
  arrived_on: z.string().nullable(),
  withdrawn_at: z.string().nullable(),
})
/** The JSON CallSchema type of a respondent's field. */
const FieldType = z.enum([...new Set(Object.values<RespondentField>(RESPONDENT_FIELDS).map(({ type }) => type))])
const IntakeForm = IntakeSurvey.extend({
  questions: z.array(z.object({ id: z.number(), name: z.string(), question_type: QuestionType, options: z.array(z.string()) })),
  fields: z.array(
    z.object({
      name: z.string(),
      type: FieldType,
      required: z.boolean(),
      about: z.string(),
      codes: z.array(z.object({ value: z.union([z.string(), z.number()]), label: z.string() })),
    }),
  ),
})
const Cleared = z.object({ data: z.object({ cleared: z.number() }), message: EffectSentence })
/** The path of a survey's results, and of a project's in the older generation. */
export const runtimeBase = '/v3/portal/surveys/runtime/{surveyId}'
export const older = '/v1/dashboard/{id}'
const base = runtimeBase
const read = <const P extends string, O extends CallSchema>(path: P, about: string, output: O) =>
  call({ method: 'GET', path: `${base}/${path}`, about, input: ofSurvey, output })

/** Results: intake from respondents, and the figures derived from it. */
export const runtimeCalls = {
  'runtime.ingest': call({
    method: 'POST',
    path: `${base}/responses`,
    lines: true,
    about:
      'Imports respondents: up to 500 as JSON, any number as NDJSON (application/x-ndjson), one per line. Valid rows are stored, invalid rows are reported one by one, and a row sent twice counts once.',
    input: z.object({
      surveyId: Id,
      /** The batch as `rows` or `responses`; the body can also be the list itself. */
      rows: z.array(RespondentRow).max(JSON_LIMIT, BATCH_MESSAGE).optional(),
      responses: z.array(RespondentRow).max(JSON_LIMIT, BATCH_MESSAGE).optional(),
      strict: Flag.default(false).meta({ description: 'An unknown field is an error, not a warning.' }),
      dry: Flag.default(false).meta({ description: 'Checks and counts without storing anything.' }),
    }),
    output: z.object({
      data: z.object({
        added: z.number(),
        /** Rows that are already known, or repeat within the batch. */
        repeated: z.number(),
        /** Rows of respondents who were withdrawn: they stay out. */
        withdrawn: z.number(),
        /** The first 1,000 of them; `row` counts as in errors. */
        withdrawn_rows: z.array(z.object({ row: z.number(), respondent_id: z.string() })),
        /** Completes that found no place in the survey's live quotas; missing without any, and in a dry run. */
        beyond: z.number().optional(),
        /** Rows that were refused. */
        refused: z.number(),
        /** The first 1,000 errors; `row` counts from 1, by line of the file or index in the list. */
        errors: z.array(
          z.object({
            row: z.number(),
            respondent_id: z.string().nullable(),
            field: z.string(),
            code: FieldCodeName,
            message: z.string(),
          }),
        ),
        /** Unknown fields with the number of rows that have them. */
        warnings: z.array(z.object({ field: z.string(), count: z.number(), message: z.string() })),
        dry: z.boolean(),
        /** False if nobody waits for these results: they are kept all the same. */
        in_field: z.boolean(),
        status: ApiStatus,
        stored_status: StoredStatus,
      }),
      message: EffectSentence,
    }),
    refreshes: ['project'],
  }),
  'runtime.respondent': call({
    method: 'GET',
    path: `${base}/responses/{respondentId}`,
    about: 'Returns whether a respondent has arrived, how it ended and whether it was withdrawn; nothing about the person.',
    input: z.object({ surveyId: Id, respondentId: RespondentId }),
    output: one(ReceivedRespondent),
  }),
  'runtime.correct': call({
    method: 'PUT',
    path: `${base}/responses/{respondentId}`,
    about:
      'Corrects a respondent within 30 days of its arrival: fields that aren’t sent become unknown, except the time. Counters and unpaid rewards follow.',
    input: z.object({ surveyId: Id, respondentId: RespondentId, ...respondentShape }),
    output: one(Corrected).extend({ message: EffectSentence }),
    refreshes: ['project', 'entry', 'history'],
  }),
  'runtime.withdraw': call({
    method: 'DELETE',
    path: `${base}/responses/{respondentId}`,
    about:
      'Withdraws a respondent within 30 days of its arrival: it stays out when its row is sent again. Counters and unpaid rewards follow.',
    input: z.object({ surveyId: Id, respondentId: RespondentId }),
    output: one(Corrected).extend({ message: EffectSentence }),
    refreshes: ['project', 'entry', 'history'],
  }),
  'runtime.putBack': call({
    method: 'POST',
    path: `${base}/responses/{respondentId}/put_back`,
    about:
      'Restores a withdrawn respondent as it was, with counters and rewards. More than 30 days after its arrival nothing of it is kept: then it is only accepted again when it is sent.',
    input: z.object({
      surveyId: Id,
      respondentId: RespondentId,
      beyond: Flag.default(false).meta({ description: 'Restores a complete also where its quotas are full, beyond them.' }),
    }),
    output: one(Corrected.extend({ is_back: z.boolean() })).extend({ message: EffectSentence }),
    refreshes: ['project', 'entry', 'history'],
  }),
  'runtime.intake': call({
    method: 'GET',
    path: `${base}/intake`,
    about: 'Returns what a survey accepts: its questions with their IDs, and the fields of a respondent with their codes.',
    input: z.object({ surveyId: Id }),
    output: one(IntakeForm),
  }),
  'runtime.intakeSurveys': call({
    method: 'GET',
    path: '/v3/portal/surveys/runtime',
    about:
      'Lists the surveys that this key may send respondents to, with how much their projects still want; for administrators all.',
    input: z.object(paged(PAGE.rewards)),
    output: listOf(IntakeSurvey),
  }),
  'runtime.overview': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/overview',
    about: "Returns everything the Overview shows of a project; for a parent, its children's together.",
    input: ofProject,
    output: one(Overview),
  }),
  'runtime.summary': read('summary', 'Returns ordered and delivered completes and the pacing.', one(Summary)),
  'runtime.gender': read('gender', 'Counts completes by gender.', Widget),
  'runtime.age': read('age', 'Counts completes by age.', Widget),
  'runtime.hhi': read('hhi', 'Counts completes by household income.', Widget),
  'runtime.children': read('children', 'Counts completes by children in the household.', Widget),
  'runtime.ethnicity': read('ethnicity', 'Counts completes by ethnicity.', Widget),
  'runtime.maritalStatus': read('marital_status', 'Counts completes by marital status.', Widget),
  'runtime.geoaddress': read(
    'geoaddress',
    'Counts completes by place, to a tenth of a degree.',
    listOf(GeoPoint).extend({ total: z.number() }),
  ),
  'runtime.deliveryTrend': read('delivery_trend', 'Counts completes by day, cumulative, beside the plan.', listOf(TrendDay)),
  'runtime.funnel': read('funnel', 'Counts how respondents ended.', one(Funnel)),
  'runtime.rewards': call({
    method: 'GET',
    path: `${base}/rewards`,
    about: 'Lists the reward entries of the survey.',
    input: z.object({ surveyId: Id, ...paged(PAGE.rewards) }),
    output: listOf(SurveyReward),
  }),
  'runtime.clearFraud': call({
    method: 'POST',
    path: `${base}/fraud_clear`,
    about: "Clears the fraud flags of the project's responses.",
    input: z.object({ surveyId: Id }),
    output: Cleared,
  }),
  'runtime.performanceFunnelV1': call({
    method: 'GET',
    path: `${older}/performance_funnel`,
    about: 'Counts how respondents ended; a repeated request within two seconds is served from memory unless something changed.',
    input: ofProject,
    output: one(Funnel),
  }),
} as const
