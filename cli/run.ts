import { randomUUID } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { count } from '../contract/format.ts'
import { DRY_HEADER, IGNORED_HEADER } from '../contract/headers.ts'
import type { Job } from '../contract/job.ts'
import { UsageError } from '../verbs/errors.ts'
import { type Reviewed, requestOf } from '../verbs/request.ts'
import { type Review, reviewOf } from '../verbs/review.ts'
import { plain } from '../verbs/values.ts'
import type { Verb } from '../verbs/verbs.ts'
import { jobsIn, waitFor } from '../verbs/waitFor.ts'
import { parse, type Typed } from './args.ts'
import { EXIT, ExitError } from './errors.ts'
import { helpOfVerb } from './help.ts'
import { refuseExisting, save, saveJob } from './jobs.ts'
import { resolveNames } from './recordNames.ts'
import { Remote } from './remote.ts'
import { connectionOf } from './settings.ts'
import { answerText, safeJson } from './show.ts'

/** The streams of a run: results go to `out`, everything else to `err`. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
  /** True if someone can answer questions. */
  asks: boolean
  /** The terminal's width in cells; undefined if results go elsewhere. */
  width: number | undefined
  /** Asks a question and returns the answer; `hidden` doesn't echo it. */
  ask(question: string, hidden?: boolean): Promise<string>
  /** Replaces the status line; an empty text clears it. */
  line(text: string): void
  signal: AbortSignal
}

/** The review in full, for people as well as for scripts and assistants that have to confirm it. */
const reviewText = ({ title, lines }: Review): string => [title, ...lines.map((line) => `  ${line}`)].join('\n')

const MOST_PER_PAGE = 500

/** Runs a call to its end; returns the exit code. */
export async function run(verb: Verb, argv: readonly string[], at: Terminal): Promise<number> {
  const typed = parse(verb, argv)
  if (typed.own.help) {
    at.out(helpOfVerb(verb))
    return EXIT.done
  }
  checkFiles(verb, typed)
  if (typeof typed.own.output === 'string') refuseExisting(typed.own.output)
  const remote = new Remote(connectionOf(at.env, Boolean(typed.own['insecure-http'])))
  await resolveNames(remote, verb, typed.input, at.signal)
  if (verb.row.as === 'stream' || verb.row.media) return stream(remote, verb, typed, at)
  if (typed.own.all) return everyPage(remote, verb, typed, at)
  const tries = Boolean(typed.own.dry) && !verb.fields.some(({ name }) => name === 'dry')
  const asksFirst = verb.writes && !verb.row.passing && typed.input.dry !== true
  const reviewed = asksFirst ? await agreed(remote, verb, typed, tries, at) : {}
  if (!reviewed) return typed.own.dry ? EXIT.done : EXIT.failed
  const key = typed.own['idempotency-key']
  const { value, text, headers } = await remote.json(requestOf(verb, typed, tries), {
    reads: !verb.writes || tries,
    key: typeof key === 'string' ? key : randomUUID(),
    reviewed,
    signal: at.signal,
    waits: waiting(at),
  })
  noteHeaders(headers, at)
  const jobs = verb.writes && !typed.own['no-wait'] && !tries ? jobsIn(value) : []
  if (!jobs.length || verb.job !== 'itself') print(verb, value, text, typed, at)
  for (const id of jobs) await follow(remote, id, verb, typed, at)
  return noteRefused(value, at) ? EXIT.failed : EXIT.done
}

/** Throws for unreadable files before anything is sent. */
function checkFiles({ row }: Verb, { files, lines }: Typed): void {
  if (row.files && !row.files.optional && !files.length && !lines) throw new UsageError(`--${row.files.name} is missing.`)
  if (row.files && !row.files.several && files.length > 1) throw new UsageError(`--${row.files.name} takes one file.`)
  for (const path of [...files, ...(lines && 'path' in lines ? [lines.path] : [])])
    try {
      accessSync(path, constants.R_OK)
    } catch {
      throw new UsageError(`${path} can’t be read.`)
    }
}

/**
 * Shows what a write would do and asks for confirmation; null if it is declined.
 * Returns the versions of what was shown, with which the write is refused if somebody changes it meanwhile.
 */
async function agreed(remote: Remote, verb: Verb, typed: Typed, tries: boolean, at: Terminal): Promise<Reviewed | null> {
  if (typed.own.yes && !tries) return {}
  if (!at.asks && !tries) {
    if (!verb.final) return {}
    throw new UsageError('It can’t be undone and needs a confirmation. Add --yes to confirm, or --dry to see what it would do.')
  }
  const review = await reviewOf(remote, verb, typed, at.signal)
  // With --json, a dry run prints the server's response instead of a review.
  if (tries && (typed.own.json || typed.own.jsonl)) return {}
  at.err(reviewText(review))
  if (tries) return null
  const answer = await at.ask('Continue? [y/N] ')
  if (/^y(es)?$/i.test(answer.trim())) return review.reviewed
  at.err('Nothing was changed.')
  return null
}

const waiting = (at: Terminal) => (seconds: number, why: string) =>
  at.err(`${plain(why)} Trying again in ${count(Math.max(1, Math.round(seconds)))} s …`)

function noteHeaders(headers: Headers, at: Terminal): void {
  const ignored = headers.get(IGNORED_HEADER)
  if (ignored) at.err(`The server ignored ${plain(ignored)}, which it doesn’t know.`)
  if (headers.get(DRY_HEADER)) at.err('Dry run: nothing was changed.')
  const undo = headers.get('x-undo')
  if (undo) at.err(`It can be undone for a day: fieldwork undo take ${plain(undo)}`)
}

function print(verb: Verb, value: unknown, text: string, { own }: Typed, at: Terminal): void {
  if (own.json) at.out(safeJson(text))
  else if (own.jsonl) for (const row of rowsOf(value)) at.out(safeJson(JSON.stringify(row)))
  else {
    const shown = answerText(verb.id, value, at.width)
    if (shown) at.out(shown)
  }
}

/** Lists the rows of a batch that were refused, each with what is wrong; false if there are none. */
function noteRefused(value: unknown, at: Terminal): boolean {
  const { refused, errors } = ((value as { data?: unknown } | null)?.data ?? {}) as { refused?: unknown; errors?: unknown }
  if (typeof refused !== 'number' || refused === 0) return false
  const rows = (Array.isArray(errors) ? errors : []) as RefusedRow[]
  for (const { row, respondent_id, message, fields } of rows.slice(0, MOST_REFUSED))
    at.err(plain(`Row ${row}${respondent_id ? ` (${respondent_id})` : ''}: ${message ?? Object.values(fields ?? {}).join('; ')}`))
  if (rows.length > MOST_REFUSED) at.err(`… and ${count(rows.length - MOST_REFUSED)} more. --json prints them all.`)
  at.err(`${count(refused)} ${refused === 1 ? 'row was' : 'rows were'} refused.`)
  return true
}
interface RefusedRow {
  row?: number
  respondent_id?: string | null
  message?: string
  fields?: Record<string, string>
}
/** Refused rows that are listed. */
const MOST_REFUSED = 100

const rowsOf = (value: unknown): readonly unknown[] => {
  const data = (value as { data?: unknown } | null)?.data
  return Array.isArray(data) ? data : [value]
}

/** The cursor of a list's next page; null after the last one, undefined for a list without cursors. */
function cursorOf(headers: Headers): string | null | undefined {
  const link = headers.get('link')
  const next = /<([^<>]*)>; rel="next"/.exec(link ?? '')?.[1]
  if (link === null || (next && !next.includes('cursor='))) return undefined
  return next ? new URLSearchParams(next.split('?')[1]).get('cursor') : null
}

/** Prints every page: by cursor, else by number, where a row that moves to the next page meanwhile is printed once. */
async function everyPage(remote: Remote, verb: Verb, typed: Typed, at: Terminal): Promise<number> {
  const size = verb.fields.find(({ name }) => name === 'per_page')
  const perPage = Number(typed.input.per_page ?? Math.min(MOST_PER_PAGE, size?.schema.maximum ?? MOST_PER_PAGE))
  const seen = new Set<unknown>()
  const collected: unknown[] = []
  let cursor = typed.input.cursor
  for (let page = Number(typed.input.page ?? 1), read = 0; ; page++) {
    const place = cursor ? { page: undefined, cursor } : { page }
    const input = { ...typed.input, ...place, ...(size ? { per_page: perPage } : {}) }
    const { value, headers } = await remote.json(requestOf(verb, { ...typed, input }), {
      reads: true,
      signal: at.signal,
      waits: waiting(at),
    })
    if (page === Number(typed.input.page ?? 1)) noteHeaders(headers, at)
    const rows = rowsOf(value)
    const fresh = rows.filter((row) => {
      const { id } = (row ?? {}) as { id?: unknown }
      return id === undefined || !(seen.has(id) || !seen.add(id))
    })
    if (typed.own.jsonl) for (const row of fresh) at.out(safeJson(JSON.stringify(row)))
    else collected.push(...fresh)
    read += rows.length
    const next = cursorOf(headers)
    if (next === null) break
    cursor = next
    if (cursor) continue
    const all = (value as { count?: unknown }).count
    if (!rows.length || (typeof all === 'number' && read >= all)) break
  }
  if (typed.own.jsonl) return EXIT.done
  const whole = { data: collected, count: collected.length }
  print(verb, whole, JSON.stringify(whole), typed, at)
  return EXIT.done
}

/** Writes a response that isn't JSON to a file or to standard output as it arrives. */
async function stream(remote: Remote, verb: Verb, typed: Typed, at: Terminal): Promise<number> {
  const answer = await remote.send(requestOf(verb, typed), { reads: true, signal: at.signal, waits: waiting(at) })
  const { output } = typed.own
  if ((answer.headers.get('content-type') ?? '').startsWith('application/json')) {
    const text = await answer.text()
    print(verb, JSON.parse(text), text, typed, at)
    return EXIT.done
  }
  const saved = await save(answer, verb.id, typeof output === 'string' ? output : '-')
  if (saved !== '-') at.err(`Saved as ${saved}.`)
  return EXIT.done
}

/** Follows a job with its progress, and saves its file. */
async function follow(remote: Remote, id: number, verb: Verb, typed: Typed, at: Terminal): Promise<void> {
  const progress = (job: Job) => {
    const far = job.total > 0 ? ` ${count(job.done)} of ${count(job.total)}` : ''
    at.line(`${plain(job.title)}: ${job.status}${far}`)
  }
  const job = await waitFor(remote, id, { signal: at.signal, progress }).finally(() => at.line(''))
  if (!job) {
    at.err(`Job ${id} has started. This token can’t follow it, which needs the scope *:read.`)
    return
  }
  if (typed.own.json && verb.job === 'itself') at.out(safeJson(JSON.stringify({ data: job })))
  const { output } = typed.own
  const file = await saveJob(remote, job, typeof output === 'string' ? output : undefined, at.signal)
  if (file === '-') return
  at.err(file ? `${plain(job.title)}: saved as ${file}.` : `${plain(job.title)}: done.`)
}

/** The error after Ctrl-C. */
export const interrupted = (): ExitError => new ExitError('Stopped. Whatever the server has started continues.', EXIT.interrupted)
