import { z } from 'zod'
import {
  Allowed,
  CivilDate,
  call,
  EffectSentence,
  Flag,
  Id,
  idList,
  Lock,
  listOf,
  one,
  Search,
  Text,
  wholeNumber,
} from './call.ts'
import { SECTIONS } from './contentWords.ts'
import { ActivityKind, columnWord, enumOf, FieldCodeName, orEmpty, ThumbState } from './enums.ts'
import { tooLong } from './fieldKinds.ts'
import { Job } from './job.ts'
import { listInput, paged } from './listInput.ts'
import { sortsOf, valuesOf } from './lists.ts'
import { MESSAGES } from './messages.ts'
import { OUTCOMES } from './vocabulary.ts'

export const REVIEWS = valuesOf('content', 'review')
const ACTIONS = valuesOf('content', 'action')
const Review = columnWord('content', 'review')
/** What a participant did. */
const ContentAction = columnWord('content', 'action')
/** How a respondent's interview ended. */
const OutcomeText = enumOf(OUTCOMES)
/** The most items that one call may review or rotate. */
const MOST = 5000
/** The most rows of a JSON import; larger imports use NDJSON. */
const ROWS = 500

/** The file of an item; links are valid for at most 15 minutes. */
export const ContentFile = z.object({
  id: z.number(),
  original_name: z.string(),
  file_type: z.string(),
  mime: z.string(),
  size: z.number(),
  /** Size in pixels as displayed, before `rotation`; null until known. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  seconds: z.number().nullable(),
  rotation: z.number(),
  description: z.string(),
  thumb_state: ThumbState,
  thumb_fault: z.string(),
  /** A link to a picture of at most 320 px; empty until it exists. */
  thumbnail: z.string(),
  /** Links that save the file, and that show it. */
  url: z.string(),
  preview: z.string(),
  lock_version: z.number(),
})
export type ContentFile = z.output<typeof ContentFile>

/** An item that a participant submitted. Client users get no rejected ones and no addresses. */
export const Content = z.object({
  id: z.number(),
  /** "U-812, photo of Participant 4F2A". */
  name: z.string(),
  activity_id: z.number(),
  activity: z.string(),
  project_id: z.number(),
  /** A hash of 16 hex digits, the same for everything one participant did. */
  person: z.string(),
  email: z.string().meta({ description: 'The participant’s email address; empty if not known, and for client users.' }),
  action: ContentAction,
  comment: z.string(),
  url: z.string(),
  dma: z.number().nullable(),
  market: z.string(),
  at: z.string(),
  review: Review,
  review_reason: z.string(),
  reviewed_by_name: z.string(),
  reviewed_at: z.string().nullable(),
  /** How many items this participant sent in the activity. */
  repeats: z.number(),
  external_id: z.string(),
  file: ContentFile.nullable(),
  file_id: z.number().nullable(),
  rotation: z.number(),
  size: z.number(),
  lock_version: z.number(),
  ...Allowed,
})
export type Content = z.output<typeof Content>

/** Filters shared by all reads of content. */
export const contentFilter = {
  review: z.enum(['all', ...REVIEWS]).default('all'),
  activity_id: Id.optional(),
  from: CivilDate.optional(),
  to: CivilDate.optional(),
}
const Reason = Text.max(500, tooLong(500)).default('')
const review = { review: z.enum(REVIEWS), reason: Reason }
const reasoned = (input: { review: string; reason: string; review_reason?: string | undefined }, at: z.RefinementCtx) => {
  if (input.review === 'rejected' && !input.reason && !input.review_reason)
    at.addIssue({ code: 'custom', path: ['reason'], message: MESSAGES.whyRejected })
}
const Ids = idList(MOST)
const Counts = z.object({ all: z.number(), open: z.number(), accepted: z.number(), rejected: z.number() })

/** One row of an import, as NDJSON or JSON. */
const ImportRow = z.record(z.string(), z.unknown())
const Imported = z.object({
  data: z.object({
    added: z.number(),
    /** Rows whose external_id is already known. */
    repeated: z.number(),
    refused: z.number(),
    /** What is wrong with each refused row, in all and by field. */
    errors: z.array(
      z.object({
        row: z.number(),
        message: z.string(),
        fields: z.array(z.object({ field: z.string(), code: FieldCodeName, message: z.string() })),
      }),
    ),
    /** Unknown fields, with the number of rows that have each. */
    ignored: z.record(z.string(), z.number()),
    dry: z.boolean(),
  }),
  message: EffectSentence,
})

/** Filters and order of content lists. */
const listed = {
  ...listInput(sortsOf('content')),
  ...contentFilter,
  project_id: Id.optional(),
  section: z.enum(['all', ...SECTIONS]).default('all'),
  action: z.enum(['all', ...ACTIONS]).default('all'),
  repeats: Flag.optional(),
  /** Only items with a file. */
  filed: Flag.optional(),
  /** Only items up to this id, or after it, so that a gallery doesn't shift while new items arrive. */
  upto: wholeNumber(z.number().int().min(0)).optional(),
  after: wholeNumber(z.number().int().min(0)).optional(),
}

export const contentCalls = {
  'content.list': call({
    method: 'GET',
    path: '/v3/portal/content',
    about:
      'Lists what participants sent and did, newest first, 10 a page: for a project with its children, for one activity, or for all.',
    input: z.object(listed),
    output: listOf(Content),
  }),
  'content.get': call({
    method: 'GET',
    path: '/v3/portal/content/{id}',
    about: 'Returns one item that a participant submitted.',
    input: z.object({ id: Id }),
    output: one(Content),
  }),
  'content.place': call({
    method: 'GET',
    path: '/v3/portal/content/{id}/place',
    about: "Returns an item's position in a list with this filter and order, from 0; null if it isn’t in the list.",
    input: z.object({ ...listed, id: Id }).omit({ page: true, per_page: true, cursor: true }),
    output: one(z.object({ id: z.number(), index: z.number().nullable() })),
  }),
  'content.summary': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/content',
    about: 'Counts what participants of a project and its children submitted, by section and review, and lists its activities.',
    input: z.object({ id: Id }),
    output: one(
      z.object({
        photos: Counts,
        videos: Counts,
        comments: Counts,
        assets: z.number(),
        /** The newest item's id; 0 if there are none. */
        newest: z.number(),
        activities: z.array(z.object({ id: z.number(), name: z.string(), count: z.number() })),
      }),
    ),
  }),
  'content.actors': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/acted',
    about:
      'Counts the people who took part in an activity, and what they did; for a survey activity, its respondents by outcome.',
    input: z.object({ id: Id }),
    output: one(
      z.object({
        id: z.number(),
        name: z.string(),
        project_id: z.number(),
        project_name: z.string(),
        activity_type: ActivityKind,
        people: z.number(),
        actions: z.number(),
      }),
    ),
  }),
  'content.respondents': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/respondents',
    about: 'Lists the respondents of a survey activity with outcome and time, newest first, 10 a page; never an address.',
    input: z.object({
      id: Id,
      search: Search,
      ...paged(),
      outcome: z.enum(['all', 'completes', 'terminates', 'overquota', 'partials']).default('all'),
      from: contentFilter.from,
      to: contentFilter.to,
    }),
    output: listOf(z.object({ id: z.number(), person: z.string(), outcome: OutcomeText, market: z.string(), at: z.string() })),
  }),
  'content.listOlder': call({
    method: 'GET',
    path: '/v1/user_activities',
    about:
      'Lists the people who took part in an activity, newest first, 10 a page; for a survey activity, its respondents by ID, outcome and time.',
    input: z.object({
      activity_id: Id,
      ...paged(),
      search: Search,
      action: z.enum(['all', ...ACTIONS]).default('all'),
      review: contentFilter.review,
    }),
    output: z.object({
      data: z.object({
        count: z.number(),
        user_activities: z.array(
          z.object({
            id: z.union([z.number(), z.string()]),
            person: z.string(),
            email: z.string().meta({ description: 'The participant’s email address; empty if not known.' }),
            action: ContentAction,
            at: z.string(),
            url: z.string(),
            comment: z.string(),
            review: orEmpty(Review),
            outcome: orEmpty(OutcomeText),
          }),
        ),
      }),
    }),
  }),
  'content.comments': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/comments',
    about: "Lists the comments of a project's participants, newest first, 10 a page.",
    input: z.object({
      id: Id,
      search: Search,
      ...paged(),
      ...contentFilter,
    }),
    output: listOf(
      z.object({
        id: z.number(),
        comment: z.string(),
        person: z.string(),
        activity_id: z.number(),
        activity: z.string(),
        at: z.string(),
        review: Review,
        review_reason: z.string(),
      }),
    ),
  }),
  'content.review': call({
    method: 'PUT',
    path: '/v3/portal/user_activities/{id}',
    about: 'Accepts or rejects an item, or resets it to new; a rejection needs a reason.',
    undo: true,
    reads: 'content.get',
    input: z.object({ id: Id, ...review, review_reason: Reason.optional(), lock_version: Lock }).superRefine(reasoned),
    output: one(Content).extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'content.reviewMany': call({
    method: 'POST',
    path: '/v3/portal/user_activities/review',
    about: 'Accepts, rejects or resets several items; the response names those already in that state.',
    undo: true,
    input: z.object({ ids: Ids, ...review }).superRefine(reasoned),
    output: one(
      z.object({ done: z.array(z.number()), refused: z.array(z.object({ id: z.number(), reason: z.string() })) }),
    ).extend({
      message: EffectSentence,
    }),
    refreshes: ['history'],
  }),
  'content.rotate': call({
    method: 'POST',
    path: '/v3/portal/user_activities/rotate',
    about: 'Rotates photos a quarter turn to the right, or by the given degrees.',
    undo: true,
    input: z.object({ ids: Ids, by: wholeNumber(z.number().int().multipleOf(90).min(-270).max(270).default(90)) }),
    output: one(z.object({ done: z.array(z.number()) })).extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'content.download': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/content/download',
    about: 'Packs items and a list of their captions into a ZIP file, in a job; more than 2 GB into several.',
    passing: true,
    input: z.object({
      id: Id,
      /** The items' ids; if missing, all matches. */
      ids: Ids.optional(),
      search: Search,
      ...contentFilter,
      section: z.enum(['all', ...SECTIONS]).default('all'),
      action: z.enum(['all', ...ACTIONS]).default('all'),
      repeats: Flag.optional(),
    }),
    output: z.object({ data: z.array(Job), message: EffectSentence }),
    refreshes: ['job'],
  }),
  'content.import': call({
    method: 'POST',
    path: '/v3/portal/activities/{id}/content',
    as: 'multipart',
    files: { name: 'file', several: true, optional: true },
    lines: true,
    undo: true,
    about:
      'Imports what participants sent: photos, videos and CSV files of comments as a form, or items as NDJSON (application/x-ndjson), one per line. Items with a known external_id count once. At most 5,000 items sent as a form can be undone.',
    input: z.object({
      id: Id,
      email: z.string().trim().max(254).optional(),
      person: z
        .string()
        .trim()
        .regex(/^[0-9a-f]{16}$/i, 'must be 16 hex digits')
        .optional(),
      external_id: z.string().trim().max(200).optional(),
      comment: Text.max(5000).default(''),
      at: z.string().trim().max(40).optional(),
      dma: wholeNumber(z.number().int()).optional(),
      rows: z.array(ImportRow).max(ROWS, `A batch as JSON holds at most ${ROWS} rows: send more as NDJSON`).optional(),
      strict: Flag.default(false).meta({ description: 'An unknown field is an error.' }),
      dry: Flag.default(false),
    }),
    output: Imported,
    refreshes: ['file', 'history'],
  }),
} as const
