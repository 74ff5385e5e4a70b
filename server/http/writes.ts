import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError, invalid } from '../core/errors.ts'
import { namesOf } from '../core/input.ts'

/*
 * A write does what it says (decisions.md 13, "Writes"). What its input schema lacks is looked up in the record's own read: equal is taken,
 * different is refused by name, and what neither knows is listed in the answer's `ignored`.
 */

type Fields = Record<string, unknown>
type Handler = (ctx: Ctx<never>) => Promise<unknown>
/** Runs another call of the table as the same caller, within the same transaction. */
type Run = (id: CallId, ctx: Ctx<never>) => Promise<unknown>

/** What a request says besides its path: the query, the body and what the body wraps, each under its name. */
export function saidBy(request: FastifyRequest, row: Call): Fields {
  const query = (request.query ?? {}) as Fields
  const body = request.body
  const plain: Fields =
    body && typeof body === 'object' && !Array.isArray(body) && !(body instanceof Readable) ? (body as Fields) : {}
  const said: Fields = { ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name.replace(/\[\]$/, ''), value])) }
  for (const [name, value] of Object.entries(plain)) {
    if (name === row.wraps && value && typeof value === 'object' && !Array.isArray(value)) continue
    said[name] = value
  }
  const inner = row.wraps ? plain[row.wraps] : null
  return inner && typeof inner === 'object' && !Array.isArray(inner) ? { ...said, ...(inner as Fields) } : said
}

/** The read of a row's record, and the input that names the same record; null where the row has none. */
function readOf(row: Call, input: Fields): { id: CallId; input: Fields } | null {
  if (!row.reads) return null
  const { call, by = {} } = typeof row.reads === 'string' ? { call: row.reads } : row.reads
  const read = calls[call as CallId] as Call
  const wanted = Object.fromEntries(namesOf(read.input).map((name) => [name, input[by[name] ?? name] ?? input[name]]))
  const parsed = read.input.safeParse(wanted)
  return parsed.success ? { id: call as CallId, input: parsed.data as Fields } : null
}

/** What names the record: neither changes it, nor do these alone make a write. */
const addressOf = (row: Call): Set<string> => {
  const { by = {} } = typeof row.reads === 'object' ? row.reads : {}
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  return new Set([...inPath, ...Object.values(by), 'id', 'lock_version', 'reason', 'force', 'dry'])
}

/** The record as its read answers it to this caller, or null: where it isn't there for them, the write itself says so. */
async function recordOf(row: Call, ctx: Ctx<never>, input: Fields, run: Run): Promise<Fields | null> {
  const read = readOf(row, input)
  if (!read) return null
  // A context that inherits everything and reads under another input.
  const reading = Object.create(ctx, { input: { value: read.input } }) as Ctx<never>
  try {
    const { data } = (await run(read.id, reading)) as { data: unknown }
    const found = Array.isArray(data) ? data.find((one: Fields) => String(one.id) === String(input.id)) : data
    return (found as Fields | undefined) ?? null
  } catch (error) {
    if (error instanceof HttpError) return null
    throw error
  }
}

/**
 * A write's handler with its unread names judged: it throws a 422 that names what can't be changed here, and its answer lists in `ignored` what
 * nobody knows. A write with a stale `lock_version` says that first (409).
 */
export function judged<H extends Handler>(row: Call, handler: H, run: Run): H {
  const known = new Set([...namesOf(row.input), 'dry'])
  const address = addressOf(row)
  const work = async (ctx: Ctx<never>): Promise<unknown> => {
    if (!ctx.request) return handler(ctx)
    const said = saidBy(ctx.request, row)
    const unread = Object.keys(said).filter((name) => !known.has(name))
    const understood = Object.keys(said).some((name) => known.has(name) && !address.has(name))
    const record = unread.length ? await recordOf(row, ctx, ctx.input, run) : null
    const { ignored, refused } = compareWithRecord(said, unread, record)
    if (row.method === 'PUT' && row.reads && !understood && ignored.length + Object.keys(refused).length === unread.length)
      throw nothing(ignored, refused)
    const fault = Object.keys(refused).length ? unchangeable(refused) : null
    const stale = fault && said.lock_version !== undefined && record && !same(said.lock_version, record.lock_version)
    if (fault && !stale) throw fault
    const answer = await handler(ctx).catch(async (error: unknown) => {
      throw await withRecord(error, () => recordOf(row, ctx, ctx.input, run))
    })
    if (fault) throw fault
    return ignored.length && answer && typeof answer === 'object' ? { ...answer, ignored } : answer
  }
  return Object.assign(work, handler) as unknown as H
}

/** A stale write's refusal with the record as its read shows it to this caller, so that both versions can be told apart; any other error as it is. */
async function withRecord(error: unknown, read: () => Promise<Fields | null>): Promise<unknown> {
  if (!(error instanceof HttpError) || error.code !== 'stale') return error
  const record = await read()
  const theirs = { ...record, ...(error.more.theirs as Fields | undefined) }
  return new HttpError(error.status, error.code, error.message, { ...error.more, theirs })
}

/** A 422 that names each field that was sent with another value than it has. */
function unchangeable(fields: Record<string, string>): HttpError {
  const sentences = Object.values(fields)
  return new HttpError(
    422,
    'invalid',
    sentences.length === 1 ? sentences[0]! : `${sentences[0]} (and ${sentences.length - 1} more)`,
    { fields },
  )
}

function nothing(ignored: readonly string[], refused: Record<string, string>): HttpError {
  if (Object.keys(refused).length) return unchangeable(refused)
  if (!ignored.length) return invalid('input', 'Nothing to change was sent.')
  const fields = Object.fromEntries(ignored.map((name) => [name, `${name} is not a field of this call`]))
  return new HttpError(
    422,
    'invalid',
    `Nothing to change was sent: ${ignored.join(', ')} ${ignored.length === 1 ? 'is' : 'are'} unknown here.`,
    {
      fields,
      ignored,
    },
  )
}

function compareWithRecord(
  said: Fields,
  unread: readonly string[],
  record: Fields | null,
): { ignored: string[]; refused: Record<string, string> } {
  const ignored: string[] = []
  const refused: Record<string, string> = {}
  for (const name of unread) {
    if (!record || !Object.hasOwn(record, name)) ignored.push(name.slice(0, 100))
    else if (!same(said[name], record[name])) refused[name] = `${name} can’t be changed here${now(record[name])}`
  }
  return { ignored, refused }
}

const now = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value && value.length <= 40)
    ? `: it is ${value}`
    : ''

/**
 * What a write's schema refuses, without the fields that only say what the record says already: a record read and sent back is taken, also where
 * it was made before a rule was. Null when that doesn't help.
 */
export async function withoutUnchanged(
  row: Call,
  given: Fields,
  error: z.ZodError,
  ctx: Ctx<never>,
  run: Run,
): Promise<Fields | null> {
  if (!row.reads || row.method !== 'PUT') return null
  const record = await recordOf(row, ctx, given, run)
  if (!record) return null
  const rest = { ...given }
  for (const { path } of error.issues) {
    const name = String(path[0] ?? '')
    if (!Object.hasOwn(rest, name) || !Object.hasOwn(record, name) || !same(rest[name], record[name])) return null
    delete rest[name]
  }
  return rest
}

const blank = (value: unknown): boolean => value === undefined || value === null || value === ''
/** A comma list of ids, in which the order says nothing. */
const IDS = /^-?\w+(,\s*-?\w+)+$/
const LINK = /^\/v3\/portal\/download\//

/** One spelling of what can be written in several: numbers as text, dates ISO, flags as yes and no. */
function plain(value: unknown): string {
  const text = String(value)
  const day = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text)
  if (day) return `${day[3]}-${day[1]}-${day[2]}`
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text).toISOString()
  if (/^-?\d+(\.\d+)?$/.test(text) && text.length < 16) return String(Number(text))
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : text.trim()
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : blank(value) ? [] : String(value).split(','))

/** True when two spellings say the same: text and number, either way to write a date, blank and null, lists in any order, signed links of one file. */
export function same(sent: unknown, kept: unknown): boolean {
  if (blank(sent) && blank(kept)) return true
  if (Array.isArray(sent) || Array.isArray(kept)) return sameList(listOf(sent), listOf(kept))
  if (blank(sent) || blank(kept)) return false
  if (typeof sent === 'object' && typeof kept === 'object')
    return Object.entries(sent as Fields).every(([name, value]) => same(value, (kept as Fields)[name]))
  if (typeof sent === 'object' || typeof kept === 'object') return false
  // A signed link is another one with every read: it is the same as long as it is one of ours.
  if (LINK.test(String(sent)) && LINK.test(String(kept))) return true
  const [one, other] = [plain(sent), plain(kept)]
  if (one === other) return true
  if (typeof sent === 'boolean' || typeof kept === 'boolean') return flag(one) === flag(other)
  return IDS.test(one) && IDS.test(other) && sameList(one.split(','), other.split(','))
}

const flag = (text: string): string => (/^(1|true|yes)$/i.test(text) ? 'yes' : /^(0|false|no)$/i.test(text) ? 'no' : text)

function sameList(sent: readonly unknown[], kept: readonly unknown[]): boolean {
  if (sent.length !== kept.length) return false
  const left = [...kept]
  return sent.every((one) => {
    const at = left.findIndex((other) => same(one, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}
