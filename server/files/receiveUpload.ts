import { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { UPLOAD_LIMIT, UPLOAD_TYPES } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError, invalid } from '../core/errors.ts'
import { checked, namesOf, otherBytes, refuseInvalid } from '../core/input.ts'
import { refusesUnknown, refuseUnknown } from '../core/unknownNames.ts'
import { yieldTurn } from '../core/yieldTurn.ts'
import { type Allowance, allowanceOf } from './allowance.ts'
import { checkContent, extensionOf, HEAD_BYTES, JSON_MIME } from './checkContent.ts'
import { newKey } from './fileStore.ts'

/** A file that is in the store but not yet in the database. */
export interface Stored {
  original_name: string
  storage_key: string
  mime: string
  size: number
  sha256: string
}

/** A multipart form: its schema, and what its call does once the fields are known. */
export interface Form<F> {
  /** The schema of its fields, by the number of files that have arrived or are about to. */
  schema(files: number): z.ZodType<F>
  /** Gets the fields before a file, so that a forbidden request costs no upload, and again if others follow it. */
  ready(fields: F): Promise<void>
  /** The field that errors about a file refer to. */
  file: string
  /** The extensions it accepts; all that uploads have, by default. */
  types?: readonly string[]
  /** True if it accepts JSON too, as a survey's data map may be. */
  json?(fields: F): boolean
  /** The form may be sent without files. */
  optional?: true
  /** The object that may wrap the fields: `campaign[name]`, or JSON in a field of this name. */
  wraps?: string
}
/** A form whose files are stored; the caller ends the `allowance` once they have rows, or are deleted. */
export interface Received<F> {
  fields: F
  stored: Stored[]
  /** SHA-256 of the contents, in the order of `stored`. */
  sums: string[]
  ignored: string[]
  allowance: Allowance
}

/** Reads a multipart request, checking each file and streaming it to the store; deletes them again on any error. */
export async function receive<F>(ctx: Ctx<unknown>, form: Form<F>): Promise<Received<F>> {
  if (!ctx.request.isMultipart()) throw invalid(form.file, 'Choose a file.')
  const address = ctx.input as object
  const values: Record<string, unknown> = { ...address }
  const stored: Stored[] = []
  let fields: F | null = null
  let allowance: Allowance | undefined
  const settle = async (files: number): Promise<F> => {
    // Parameters of the path win over parts of the same name, which could lead to another record.
    const parsed = form.schema(files).safeParse({ ...values, ...address })
    if (!parsed.success) throw refuseInvalid(parsed.error, values)
    await form.ready(parsed.data)
    return parsed.data
  }
  try {
    allowance = await allowanceOf(ctx as Ctx)
    // Parsing starts in a turn of its own, because splitting thousands of parts takes a while.
    await yieldTurn()
    for await (const part of ctx.request.parts()) {
      if (part.type === 'field') {
        takeField(values, part.fieldname, part.value, form.wraps)
        fields = null
        continue
      }
      fields ??= await settle(stored.length + 1).catch(mayFollow)
      await allowance.file()
      const arrived = (piece: Buffer) => allowance?.take(piece.length)
      stored.push(await keep(ctx, part, { field: form.file, types: form.types, json: form.json !== undefined }, arrived))
    }
    fields ??= await settle(stored.length)
    if (!stored.length && !form.optional) throw invalid(form.file, 'Choose a file.')
    // The field that allows JSON may have followed it.
    if (!form.json?.(fields) && stored.some(({ mime }) => mime === JSON_MIME))
      throw invalid(form.file, MESSAGES.fileType(UPLOAD_TYPES.join(', ')))
    const known = namesOf(form.schema(stored.length))
    const sums = stored.map(({ sha256 }) => sha256)
    const ignored = Object.keys(values).filter((name) => !known.includes(name))
    const row: Call = calls[ctx.call as CallId]
    const how = refusesUnknown(row, ctx.caller, undefined)
    if (how) refuseUnknown(row, ignored, how, known)
    return { fields, stored, sums, ignored, allowance }
  } catch (error) {
    // The rest is read and dropped, so that a sender still writing gets the response.
    ctx.request.raw.unpipe()
    ctx.request.raw.resume()
    await discard(ctx, stored)
    allowance?.end()
    throw isTorn(error) ? new HttpError(400, 'bad_form', 'The upload is incomplete. Please send it again.') : error
  }
}

/** Fields may follow a file, so what is wrong with them is said at the end of the form. */
const mayFollow = (error: unknown): null => {
  if (error instanceof HttpError && error.status === 422) return null
  throw error
}

/** Adds a form's field: `campaign[name]` becomes `name`, `name[]` adds to a list, the wrapper itself is JSON. */
function takeField(values: Record<string, unknown>, sent: string, value: unknown, wraps?: string): void {
  const fault = otherBytes(sent, value)
  if (fault) throw fault
  if (sent === wraps) return void Object.assign(values, checked(objectIn(value, wraps), {}))
  const list = /\[\d*\]$/.test(sent)
  const bare = list ? sent.replace(/\[\d*\]$/, '') : sent
  const name = /\[(\w+)\]$/.exec(bare)?.[1] ?? bare
  checked({ [name]: value }, {})
  values[name] = list ? [...(Array.isArray(values[name]) ? values[name] : []), value] : value
}

function objectIn(value: unknown, field: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(String(value))
    if (read && typeof read === 'object' && !Array.isArray(read)) return read as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw invalid(field, `${field} is not a JSON object`)
}

/** True for a truncated or malformed form; the parser gives these errors no code. */
const isTorn = (error: unknown): boolean =>
  error instanceof Error &&
  /multipart|Malformed|Unexpected end of (form|file)|Part terminated early|^aborted$/i.test(error.message) &&
  !(error instanceof HttpError)

/** Removes contents from the store. */
export async function discard(ctx: Pick<Ctx, 'services'>, stored: readonly Pick<Stored, 'storage_key'>[]): Promise<void> {
  for (const { storage_key } of stored)
    await ctx.services.files
      .remove(storage_key)
      .catch((error: unknown) => ctx.services.log.warn({ err: error, storage_key }, 'a file could not be removed from the store'))
}

/** Characters that change the reading direction, by which `exe.png` can look like another file; joiners stay. */
const TURNS = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g
/** Windows device names, whatever the extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** A file's name as stored: without path, control and direction characters, the last 200 characters at most. */
const nameOf = (sent: string): string =>
  sent
    // Browsers encode exactly these three characters in a form.
    .replace(/%0D%0A|%0D|%0A/gi, ' ')
    .replaceAll('%22', '"')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '')
    .replace(TURNS, '')
    .slice(-200)
    .replace(/^[\udc00-\udfff]/, '')
    .toWellFormed()
    .replace(DEVICE, '_$1')

async function keep(
  ctx: Pick<Ctx, 'services'>,
  part: MultipartFile,
  { field, types, json }: { field: string; types: readonly string[] | undefined; json: boolean },
  arrived: (piece: Buffer) => void,
): Promise<Stored> {
  const original_name = nameOf(part.filename ?? '')
  const { head, whole } = await peek(part.file, HEAD_BYTES, arrived)
  const checked =
    types && !types.includes(extensionOf(original_name))
      ? { fault: MESSAGES.fileType(types.join(', ')) }
      : checkContent(original_name, head, { json })
  if ('fault' in checked) {
    part.file.resume()
    throw invalid(field, checked.fault)
  }
  const storage_key = newKey('uploads', extensionOf(original_name), ctx.services.now())
  const { size, sha256 } = await ctx.services.files.put(storage_key, whole, checked.mime)
  if (part.file.truncated || size >= UPLOAD_LIMIT) {
    await discard(ctx, [{ storage_key }])
    throw invalid(field, MESSAGES.fileTooLarge(Math.round(UPLOAD_LIMIT / 1_048_576)))
  }
  return { original_name, storage_key, mime: checked.mime, size, sha256 }
}

/** The start of a stream, and a stream of all of it; `arrived` gets every piece and may throw. */
async function peek(
  stream: Readable,
  bytes: number,
  arrived: (piece: Buffer) => void,
): Promise<{ head: Buffer; whole: Readable }> {
  const chunks: Buffer[] = []
  const reader = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let length = 0
  let ended = false
  while (length < bytes && !ended) {
    const next = await reader.next()
    if (next.done) ended = true
    else {
      arrived(next.value)
      chunks.push(next.value)
      length += next.value.length
    }
  }
  async function* all() {
    yield* chunks
    while (!ended) {
      const next = await reader.next()
      if (next.done) return
      arrived(next.value)
      yield next.value
    }
  }
  return { head: Buffer.concat(chunks).subarray(0, bytes), whole: Readable.from(all(), { objectMode: false }) }
}
