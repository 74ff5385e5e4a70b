import { z } from 'zod'
import { readDate } from './dates.ts'
import type { Sentence } from './effectText.ts'
import { losesDigits, NOT_AN_ID, readId, SEND_AS_TEXT } from './exactNumber.ts'
import { isBlank, tooLong } from './fieldKinds.ts'
import { showsNothing } from './foldText.ts'
import { count } from './format.ts'
import { LONGEST_WAIT, MAIL_WAITS } from './mailWaits.ts'
import { readDay, readMoment, YEARS } from './moments.ts'
import { type AmountWords, likelyWhole, readDecimal, readDollars, readWhole, wholeFault } from './money.ts'
import type { Noun } from './nouns.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What is asked of any call's schema. `z.ZodType` has sixty generic methods, which tsc would compare for each call. */
export interface CallSchema extends z.core.$ZodType {
  parse(data: unknown): unknown
  safeParse(data: unknown): z.ZodSafeParseResult<unknown>
}

export interface Call<I extends CallSchema = CallSchema, O extends CallSchema = CallSchema, M extends Method = Method> {
  method: M
  /** `{name}` marks a path parameter; every path also accepts a trailing slash and `.json`. */
  path: string
  /** One sentence for the API page. */
  about: string
  /** Path, query and body as one object, so the specification's spellings are one call. */
  input: I
  output: O
  /** Other nouns whose cached reads this write makes stale; every open workspace loads them again. */
  refreshes?: readonly Noun[]
  /** multipart: files arrive as streams; stream: the response is not JSON. */
  as?: 'multipart' | 'stream'
  /** Media types of its response besides JSON; for a stream, all of them. */
  media?: readonly string[]
  /** The response's shape with 202, while the result is still being made. */
  accepted?: CallSchema
  /** The form part that carries the file. `several` allows more than one, `optional` none. */
  files?: { name: string; several?: true; optional?: true }
  /** A GET that changes state: it accepts token headers only, never a cookie (decisions.md 7). */
  unsafe?: true
  /** The body may be wrapped in an object of this name: `user: {…}`. */
  wraps?: string
  /**
   * The read that returns the record this write changes; `by` maps the read's input names to this write's.
   * A field this write can't change is accepted if unchanged, otherwise refused by name (decisions.md 13, "Writes").
   */
  reads?: string | { call: string; by: Readonly<Record<string, string>> }
  /**
   * It makes a credential, so everybody's unknown names are refused: a misspelled limit would be no limit.
   * `limits` are the fields that limit it, which may be left out but not be empty.
   * `extras`: older programs send more with it, so only what is nearly a limit's name is refused.
   */
  credential?: { limits: readonly string[]; extras?: true }
  /** Other names of fields, which are accepted in their place: `client_ids` for `clients`. */
  aliases?: Readonly<Record<string, string>>
  /** The response holds a secret shown once (a key, an invitation link), so it is never stored for a replay. */
  secret?: true
  /** A link with this path grants access by itself, so the log shows only the path's pattern. */
  secretPath?: true
  /** Its author can undo the change for a day; the response names it in the header `X-Undo`. */
  undo?: true
  /** Uses a write's method but stores nothing, so no cached read becomes stale. */
  keepsNothing?: true
  /** What reaches people outside with it. An undo can't take that back, so assistants confirm it first. */
  sends?: 'email' | 'payout' | 'notification'
  /** It sends only with one of these fields. */
  sendsIf?: readonly string[]
  /** Its result expires by itself or changes no record: a link, a file, a cancellable job, a mark as seen. */
  passing?: true
  /** The call has no body; one that is sent is ignored. */
  bodiless?: true
  /** The handler reads an NDJSON body as a stream, `ctx.lines`; JSON may be 1 MB (server/http/bodies.ts). */
  lines?: true
  /** The JSON body may be 16 MB: a file's rows, read by an administrator's workspace (server/http/bodies.ts). */
  long?: true
  /** Calls per minute and IP address, where decisions.md 7 sets a limit. */
  limit?: number
}

/** Declares one row of the calls table: checks its shape and keeps the precise types. */
export const call = <const M extends Method, I extends CallSchema, O extends CallSchema>(row: Call<I, O, M>): Call<I, O, M> => row

/** A record's id, as a number or its digits in a path, a query or a form; `number` says what is missing. */
export const idOf = <T extends CallSchema>(number: T) =>
  z.preprocess((input, at) => {
    if (input === undefined || input === null || (typeof input === 'string' && showsNothing(input))) return undefined
    const id = readId(input)
    const code = typeof input === 'string' ? 'format' : 'type'
    if (id === null) at.addIssue({ code: 'custom', message: losesDigits(input) ? SEND_AS_TEXT : NOT_AN_ID, params: { code } })
    return id
  }, number)
/** A record's id. */
export const Id = idOf(z.number().int().positive())
/** A record's id; a blank is as if it weren't sent. */
export const IdIfAny = idOf(z.number().int().positive().optional()).optional()
/** A blank as null; what wasn't sent stays missing. */
const nullIfBlank = (sent: unknown) => (sent !== undefined && isBlank(sent) ? null : sent)
/** A record's id, or a blank for none. */
export const IdOrNull = z.preprocess(nullIfBlank, Id.nullable())
/** A text without blanks around it; one of which nothing is seen is empty. */
export const Text = z
  .string()
  .trim()
  .overwrite((text) => (showsNothing(text) ? '' : text))
/** A required text of at most `max` characters; `message` quotes the specification. */
export const needed = (message: string, max = 200) =>
  z
    .string({ error: ({ input }) => (isBlank(input) ? message : 'must be text') })
    .trim()
    .overwrite((text) => (showsNothing(text) ? '' : text))
    .min(1, message)
    .max(max, tooLong(max))

/** A whole number or its digits, "1,200"; nothing else that JavaScript makes a number of: true, [5], "1e3". */
export const wholeNumber = <T extends CallSchema>(number: T) => z.preprocess(wholeInput, number)

/** For `z.preprocess`: reads a whole number, and names the one that was probably meant where it can't. */
function wholeInput(input: unknown, at: Pick<z.RefinementCtx, 'addIssue'>): unknown {
  if (likelyWhole(input) !== null) at.addIssue({ code: 'custom', message: wholeFault('must be a whole number', input) })
  // A fraction is refused as one by the schema.
  const number = readDecimal(input)
  return typeof number === 'number' && !Number.isInteger(number) ? number : readWhole(input)
}

/** Dollars as people and programs write them (contract/money.ts), in cents, with the messages for what isn't one. */
export const dollarsInput = (words: AmountWords, mostCents?: number) =>
  z
    .union([z.number(), z.string()], { error: words.blank })
    .transform((input, at) => {
      const read = readDollars(input, words, mostCents)
      if ('cents' in read) return read.cents
      at.addIssue({ code: 'custom', message: read.fault })
      return 0
    })
    .pipe(z.number())

/** A page number from 1. */
export const Page = wholeNumber(z.number().int().min(1).max(1_000_000).default(1))

/** A text search, trimmed; empty means none. */
export const Search = z.string().trim().max(200).default('')

/** A civil date, YYYY-MM-DD; also accepts MM/DD/YYYY, and midnight behind it, but no other time of day. */
export const CivilDate = z
  .string('must be text')
  .trim()
  .meta({ format: 'date' })
  .transform((text, context) => {
    // As forms read a day, or a day with its midnight.
    const day = readDate(text) ?? readDay(text)
    if (day !== null) return day
    if (readMoment(text, { zone: 'UTC' }) !== null) {
      const message = `is a day, without a time: send ${text.slice(0, 10)}, or the day that it is for you`
      context.addIssue({ code: 'custom', message, params: { code: 'format' } })
      return z.NEVER
    }
    const year = Number(/^(\d{4})-\d\d-\d\d$/.exec(text)?.[1] ?? YEARS.first)
    const inRange = year >= YEARS.first && year <= YEARS.last
    const message = inRange ? 'is not a date (YYYY-MM-DD)' : `must be a date from ${YEARS.first} to ${YEARS.last}`
    context.addIssue({ code: 'custom', message, params: { code: inRange ? 'format' : 'range' } })
    return z.NEVER
  })

/** A civil date, or a blank for none. */
export const DayOrNull = z.preprocess(nullIfBlank, CivilDate.nullable())

/** The last day of something, or the very moment it ends: a time is never read as the whole of its day. */
export const LastDay = z
  .string()
  .trim()
  .max(40)
  .transform((text, context) => {
    const day = text.length <= 10 ? readDay(text) : null
    if (day !== null) return day
    const moment = readMoment(text)
    if (moment !== null) return new Date(moment).toISOString()
    context.addIssue({ code: 'custom', message: 'is not a date (YYYY-MM-DD) or a time (2026-12-31T18:00:00Z)' })
    return z.NEVER
  })

/** Accepts true, false, 1, 0, yes and no in any case; a blank is no. */
export const Flag = z.union([z.boolean(), z.number(), z.string()], { error: 'must be yes or no' }).transform((value, at) => {
  const word = String(value).trim()
  if (/^(?:1|true|yes)$/i.test(word)) return true
  // A call with dry=ja must not be done.
  if (!/^(?:0|false|no|)$/i.test(word)) at.addIssue({ code: 'custom', message: 'must be yes or no' })
  return false
})

/** A text, or a number as its text; one that has lost digits is refused. */
export const TextOrNumber = z.union([z.string(), z.number()]).transform((value, at) => {
  if (losesDigits(value)) at.addIssue({ code: 'custom', message: SEND_AS_TEXT })
  return String(value)
})

/** One value, a list or a comma list; always becomes a list of texts. */
export const Many = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .transform((value) =>
    (Array.isArray(value) ? value : String(value).split(',')).map((one) => String(one).trim()).filter(Boolean),
  )

/** At most so many ids, as Many takes them; always becomes a list without repeats. */
export const idList = (most: number) =>
  Many.transform((texts, at) => {
    const ids = texts.map(readId)
    if (ids.includes(null)) at.addIssue({ code: 'custom', message: 'must be a list of ids, such as 114,115' })
    if (ids.length > most) at.addIssue({ code: 'custom', message: `must be at most ${count(most)} ids` })
    return [...new Set(ids)] as number[]
  })

/** Seconds before a mail to people is sent, in which it can be undone (decisions.md 13, Delayed work). */
export const Delay = wholeNumber(z.number().int().min(0).max(LONGEST_WAIT).default(MAIL_WAITS))

/** The optimistic lock: a write with a stale version gets a 409 with both versions (decisions.md 9). */
export const Lock = wholeNumber(z.number().int().min(0)).optional()

/** What was deleted, on the first page of a list with `updated_since`. */
const Deletions = {
  deletions: z.array(z.object({ id: z.number(), deleted_at: z.string() })).optional(),
  deletions_from: z.string().optional(),
  deletions_next: z.string().nullable().optional(),
}

/** The v3 envelope of a list. */
export const listOf = <T extends CallSchema>(row: T) =>
  z.object({ data: z.array(row), count: z.number(), page: z.number(), ...Deletions })

/** The v3 envelope of one record. */
export const one = <T extends CallSchema>(row: T) => z.object({ data: row })

/** The sentence about a write's effect, made by writeEffects.ts; that of a dry run says what it would do. */
export const EffectSentence = z.string() as unknown as z.ZodType<Sentence, Sentence>
/** The response of a write that says its effect alone. */
export const Effected = z.object({ message: EffectSentence })

/** The response of a write that ends others' access to an account, with what it stopped in case they made it. */
export const Stopped = Effected.extend({
  paused_webhooks: z.array(z.object({ id: z.number(), name: z.string() })),
  /** The new email that waited to be confirmed. */
  cancelled_email: z.string().nullable(),
})

/** The direction of a list's order. */
export const Order = z.enum(['asc', 'desc']).default('asc')

/** The combinations of what may be done and why not the rest, each sent once; rows name theirs by its place. */
export const Rules = z.array(z.tuple([z.array(z.string()), z.record(z.string(), z.string())]))

/** What the caller may do with a record now, and why not the rest, by id of call or command (decisions.md 2). */
export const Allowed = {
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
}
