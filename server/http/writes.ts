import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import type { Sentence } from '../../contract/effectText.ts'
import { isBlank } from '../../contract/fieldKinds.ts'
import { readMoment } from '../../contract/moments.ts'
import { andThen, clearedNote, type EffectId, saysUnchanged, unchangedOf } from '../../contract/writeEffects.ts'
import type { Ctx } from '../core/context.ts'
import { codeAll, HttpError, invalid } from '../core/errors.ts'
import { namesOf } from '../core/input.ts'
import { DOWNLOAD } from '../core/signedLink.ts'
import { refusesUnknown, refuseUnknown, unknownWithin } from '../core/unknownNames.ts'

/*
 * Writes do what they say (decisions.md 13, "Writes"): fields beyond the schema are compared with the record's read.
 * Equal values are accepted, different ones refused by name, and unknown names listed in `ignored`.
 */

type Fields = Record<string, unknown>
type Handler = (ctx: Ctx<never>) => Promise<unknown>
/** Runs another call as the same caller, in the same transaction. */
type Run = (id: CallId, ctx: Ctx<never>) => Promise<unknown>

/** A request's fields besides its path: the query, the body, and the body's wrapped fields. */
function sentFields(request: FastifyRequest, row: Call): Fields {
  const query = (request.query ?? {}) as Fields
  const body = request.body
  const plain: Fields =
    body && typeof body === 'object' && !Array.isArray(body) && !(body instanceof Readable) ? (body as Fields) : {}
  const received: Fields = {
    ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name.replace(/\[\]$/, ''), value])),
  }
  for (const [name, value] of Object.entries(plain)) {
    if (name === row.wraps && value && typeof value === 'object' && !Array.isArray(value)) continue
    received[name] = value
  }
  const inner = row.wraps ? plain[row.wraps] : null
  return inner && typeof inner === 'object' && !Array.isArray(inner) ? { ...received, ...(inner as Fields) } : received
}

/** The fields that a call reads, and those that every write takes. */
const knownTo = (row: Call): Set<string> => new Set([...namesOf(row.input), ...Object.keys(row.aliases ?? {}), 'dry'])

/** Throws a 422 for unknown names, where they are refused and no record's read could know them. */
export function refuseUnknownNames(row: Call, { caller, request }: Pick<Ctx, 'caller' | 'request'>): void {
  const how = row.reads ? null : refusesUnknown(row, caller, undefined)
  if (!how) return
  const known = knownTo(row)
  const received = sentFields(request, row)
  refuseUnknown(row, [...Object.keys(received).filter((name) => !known.has(name)), ...unknownWithin(row.input, received)], how)
}

/** The read of a write's record, with the input that names the record; null if it has none. */
function readOf(row: Call, input: Fields): { id: CallId; input: Fields } | null {
  if (!row.reads) return null
  const { call, by = {} } = typeof row.reads === 'string' ? { call: row.reads } : row.reads
  const read = calls[call as CallId] as Call
  const wanted = Object.fromEntries(namesOf(read.input).map((name) => [name, input[by[name] ?? name] ?? input[name]]))
  const parsed = read.input.safeParse(wanted)
  return parsed.success ? { id: call as CallId, input: parsed.data as Fields } : null
}

/** Fields that only identify the record: they neither change it nor make a write. */
const addressOf = (row: Call): Set<string> => {
  const { by = {} } = typeof row.reads === 'object' ? row.reads : {}
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  return new Set([...inPath, ...Object.values(by), 'id', 'lock_version', 'version', 'reason', 'force', 'dry'])
}

/** The record as its read returns it to this caller; null if they can't see it, which the write itself reports. */
async function recordOf(row: Call, ctx: Ctx<never>, input: Fields, run: Run): Promise<Fields | null> {
  const read = readOf(row, input)
  if (!read) return null
  // The same context with another input.
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
 * Checks a write's unread fields: a 422 names those it can't change, and `ignored` lists unknown ones.
 * A stale `lock_version` is reported first (409).
 */
export function withFieldChecks<H extends Handler>(row: Call, handler: H, run: Run): H {
  const known = knownTo(row)
  const address = addressOf(row)
  const work = async (ctx: Ctx<never>): Promise<unknown> => {
    if (!ctx.request) return handler(ctx)
    const received = sentFields(ctx.request, row)
    const unread = Object.keys(received).filter((name) => !known.has(name))
    // A form's fields are read later, by its handler.
    const understood = ctx.request.isMultipart() || Object.keys(received).some((name) => known.has(name) && !address.has(name))
    const how = refusesUnknown(row, ctx.caller, (ctx.input as Fields | undefined)?.strict)
    const within = how ? unknownWithin(row.input, received) : []
    const record = unread.length || within.length ? await recordOf(row, ctx, ctx.input, run) : null
    const { ignored, refused } = compareWithRecord(received, unread, record)
    if (how) refuseUnknown(row, [...ignored, ...within.filter((path) => !isOfRecord(record, path))], how)
    if (row.method === 'PUT' && row.reads && !understood && ignored.length + Object.keys(refused).length === unread.length)
      throw nothing(ignored, refused)
    const fault = Object.keys(refused).length ? unchangeable(refused) : null
    const stale = fault && received.lock_version !== undefined && record && !same(received.lock_version, record.lock_version)
    if (fault && !stale) throw fault
    const answer = await handler(ctx).catch(async (error: unknown) => {
      throw await withRecord(withCodes(error, received), () => recordOf(row, ctx, ctx.input, run))
    })
    if (fault) throw fault
    if (row.method === 'PUT' && row.reads && !ctx.wrote && hasMessage(answer) && !saysUnchanged(String(answer.message)))
      answer.message = unchangedOf(ctx.call as EffectId)
    if (ctx.cleared.length && hasMessage(answer))
      answer.message = andThen(answer.message as Sentence, clearedNote(ctx.cleared, ctx.dry ? 'before' : 'after'))
    if (ignored.length + ctx.dropped.length === 0 || !answer || typeof answer !== 'object') return answer
    // A multipart form's handler adds those among its fields.
    return {
      ...answer,
      ignored: [...new Set([...ignored, ...ctx.dropped, ...((answer as { ignored?: string[] }).ignored ?? [])])],
    }
  }
  return Object.assign(work, handler) as unknown as H
}

/** True for the answer of a write that says its effect. */
const hasMessage = (answer: unknown): answer is { message: unknown } =>
  typeof answer === 'object' && answer !== null && 'message' in answer

/** Adds the code of a handler's fault about what was sent blank. */
function withCodes(error: unknown, received: Fields): unknown {
  if (!(error instanceof HttpError)) return error
  const { fields = {}, field_codes = {}, ...more } = error.more
  const sentBlank = ([name]: [string, string]) => Object.hasOwn(received, name) && isBlank(received[name])
  const codes = codeAll(Object.fromEntries(Object.entries(fields).filter(sentBlank)), 'required')
  if (!Object.keys(codes).length) return error
  return new HttpError(error.status, error.code, error.message, { fields, field_codes: { ...codes, ...field_codes }, ...more })
}

/** Adds the record as its read shows it to a stale write's 409; other errors pass unchanged. */
async function withRecord(error: unknown, read: () => Promise<Fields | null>): Promise<unknown> {
  if (!(error instanceof HttpError) || error.code !== 'stale') return error
  const record = await read()
  const theirs = { ...record, ...(error.more.theirs as Fields | undefined) }
  return new HttpError(error.status, error.code, error.message, { ...error.more, theirs })
}

/** A 422 that names each field sent with a value other than the record's. */
function unchangeable(fields: Record<string, string>): HttpError {
  const sentences = Object.values(fields)
  return new HttpError(
    422,
    'invalid',
    sentences.length === 1 ? sentences[0]! : `${sentences[0]} (and ${sentences.length - 1} more)`,
    { fields, field_codes: codeAll(fields, 'read_only') },
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
      field_codes: codeAll(fields, 'unknown_field'),
      ignored,
    },
  )
}

function compareWithRecord(
  received: Fields,
  unread: readonly string[],
  record: Fields | null,
): { ignored: string[]; refused: Record<string, string> } {
  const ignored: string[] = []
  const refused: Record<string, string> = {}
  for (const name of unread) {
    if (!record || !Object.hasOwn(record, name)) ignored.push(name.slice(0, 100))
    else if (!same(received[name], record[name])) refused[name] = `${name} can’t be changed here${now(record[name])}`
  }
  return { ignored, refused }
}

/** True if a record has a field at a path of names and places in lists, so that it may be sent back. */
function isOfRecord(record: unknown, path: string): boolean {
  const [name = '', ...rest] = path.split('.')
  if (Array.isArray(record)) return record.some((one) => isOfRecord(one, rest.length ? rest.join('.') : name))
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, name)) return false
  return rest.length === 0 || isOfRecord((record as Fields)[name], rest.join('.'))
}

const now = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value && value.length <= 40)
    ? `: it is ${value}`
    : ''

/**
 * The input without refused fields that equal the record's, so that a read can be sent back; null if that doesn't help.
 * Without this, records older than a rule couldn't be saved.
 */
export async function withoutUnchanged(
  row: Call,
  input: Fields,
  error: z.ZodError,
  ctx: Ctx<never>,
  run: Run,
): Promise<Fields | null> {
  if (!row.reads || row.method !== 'PUT') return null
  const record = await recordOf(row, ctx, input, run)
  if (!record) return null
  const rest = { ...input }
  for (const { path } of error.issues) {
    const name = String(path[0] ?? '')
    // An id of 1 isn't true, though a flag of 1 is.
    const isType = typeof rest[name] !== 'boolean' || typeof record[name] === 'boolean'
    if (!Object.hasOwn(rest, name) || !Object.hasOwn(record, name) || !isType || !same(rest[name], record[name])) return null
    delete rest[name]
  }
  return rest
}

const blank = (value: unknown): boolean => value === undefined || value === null || value === ''
/** A comma list of ids, in which order doesn't matter. */
const IDS = /^-?\w+(,\s*-?\w+)+$/
const isLink = (value: unknown): boolean => String(value).startsWith(DOWNLOAD)

/** One spelling of a value: numbers as text, dates ISO, flags as yes and no. */
function plain(value: unknown): string {
  const text = String(value)
  const day = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text)
  if (day) return `${day[3]}-${day[1]}-${day[2]}`
  const moment = readMoment(text)
  if (moment !== null) return new Date(moment).toISOString()
  if (/^-?\d+(\.\d+)?$/.test(text) && text.length < 16) return String(Number(text))
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : text.trim()
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : blank(value) ? [] : typeof value === 'object' ? [value] : String(value).split(',')

/** True for the same value in another form: number or text, date formats, blank or null, list order, file links. */
export function same(sent: unknown, kept: unknown): boolean {
  if (blank(sent) && blank(kept)) return true
  if (Array.isArray(sent) || Array.isArray(kept)) return sameList(listOf(sent), listOf(kept))
  if (blank(sent) || blank(kept)) return false
  if (typeof sent === 'object' && typeof kept === 'object')
    return Object.entries(sent as Fields).every(([name, value]) => same(value, (kept as Fields)[name]))
  if (typeof sent === 'object' || typeof kept === 'object') return false
  // Every read signs a new link, so any two of ours are the same.
  if (isLink(sent) && isLink(kept)) return true
  const [one, other] = [plain(sent), plain(kept)]
  if (one === other) return true
  if (typeof sent === 'boolean' || typeof kept === 'boolean') return flag(String(sent)) === flag(String(kept))
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
