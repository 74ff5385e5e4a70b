import type { z } from 'zod'
import { contentCalls } from '../../../contract/content.ts'
import { count as figure } from '../../../contract/format.ts'
import { DRY_HEADER } from '../../../contract/headers.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { HttpError, invalid, notFound } from '../../core/errors.ts'
import { keyOpens } from '../../core/keyScope.ts'
import { Unreadable } from '../../core/readers.ts'
import { yieldTurn } from '../../core/yieldTurn.ts'
import { advisoryLock } from '../../db/locked.ts'
import { type Act, type ActFault, readAct, unknownIn } from '../../domain/content/readAct.ts'
import { type Line, linesOf } from '../../domain/runtime/ndjson.ts'
import { discard, receive, type Stored } from '../../files/receiveUpload.ts'
import { byKey } from '../batch.ts'
import { addFiles } from '../file/upload.ts'

type Import = z.output<(typeof contentCalls)['content.import']['input']>
type Report = z.input<(typeof contentCalls)['content.import']['output']>['data']
interface Place {
  id: number
  project_id: number
}
/** An act with its file, if one has been stored. */
type ReceivedAct = Act & { stored?: Stored }

/** Acts in one transaction. */
const CHUNK = 1000
/** Acts of a form written in one transaction, so that one undo reverts all of them. */
const AT_ONCE = 5000
/** The most errors a response lists. */
const MOST_ERRORS = 1000
/** The most unknown names a response lists. */
const MOST_IGNORED = 50

/** The activity the caller may import content into; throws 404. */
async function placeOf(ctx: Ctx<Import>): Promise<Place> {
  const found = await ctx.db
    .selectFrom('activities')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .select(['activities.id', 'activities.project_id', 'projects.parent_id', 'projects.client_id'])
    .where('activities.id', '=', Number(ctx.input.id))
    .where('activities.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()
  const { apiKey } = ctx.caller
  // A key limited to surveys covers no activity's content; survey 0 stands for "none of them".
  if (!found || (apiKey && !keyOpens(apiKey.scope, { ...found, id: 0 })))
    throw apiKey
      ? new HttpError(404, 'not_found', `Activity ${ctx.input.id} was not found, or this key is not for it.`)
      : notFound(`Activity ${ctx.input.id}`)
  return { id: found.id, project_id: found.project_id }
}

/** An importer's uploads belong to the user who made its key. */
function asOwner(ctx: Ctx<Import>): Ctx<Import> {
  const { apiKey } = ctx.caller
  if (!apiKey) return ctx
  return Object.create(ctx, { actor: { value: { id: apiKey.created_by, role: 'admin', admin_id: null } } }) as Ctx<Import>
}

/** Imports participants' content: a form of files, or acts as NDJSON or JSON. Known acts are counted once. */
export async function importContent(ctx: Ctx<Import>) {
  const place = await placeOf(ctx)
  const { rows: areas } = await dmasOf(ctx)
  const against = { now: new Date(ctx.now), known: areas }
  if (ctx.request.isMultipart()) return takeForm(ctx, against, place)
  const taking = new Taking(ctx, place, ctx.input)
  const lines: AsyncIterable<Line> | Iterable<Line> | undefined = ctx.lines
    ? linesOf(ctx.lines)
    : ctx.input.rows?.map((row, at) => ({ number: at + 1, row }))
  if (!lines) throw invalid('rows', 'rows is required: files as a form, a JSON list, or NDJSON sent as application/x-ndjson')
  let chunk: ReceivedAct[] = []
  for await (const { number, row } of lines) {
    const act = taking.read(row, against)
    if ('errors' in act) taking.refuse(number, act.errors)
    else chunk.push(act)
    if (chunk.length === CHUNK) {
      await taking.take(chunk)
      chunk = []
    }
  }
  await taking.take(chunk)
  return taking.answer()
}

async function dmasOf(ctx: Pick<Ctx, 'db'>) {
  const rows = await ctx.db.selectFrom('dmas').select('code').execute()
  return { rows: new Set(rows.map(({ code }) => Number(code))) }
}

type Against = Parameters<typeof readAct>[1]

async function takeForm(ctx: Ctx<Import>, against: Against, place: Place) {
  const { fields, stored, sums, ignored, allowance } = await receive(asOwner(ctx) as Ctx, {
    schema: () => contentCalls['content.import'].input,
    file: 'file',
    ready: async () => {},
  })
  const taking = new Taking(ctx, place, fields)
  const usedFiles = new Set<Stored>()
  try {
    const sent: ReceivedAct[] = []
    for (const [nth, file] of stored.entries()) {
      if (file.mime.startsWith('text/csv')) {
        let line = 0
        for await (const { line: number, row, fault } of commentsOf(ctx, file)) {
          line++
          // A list of comments has no ids, so its file's hash and the number of the row make one.
          const id = `sha256:${sums[nth]}:${line}`
          const act = fault
            ? { errors: [{ field: 'line', code: 'format' as const, message: fault }] }
            : taking.read({ external_id: id, ...filled(row) }, against)
          if ('errors' in act) taking.refuse(number, act.errors)
          else sent.push(act)
        }
        continue
      }
      const action = /^(image|video)\//.exec(file.mime)?.[1]
      if (!action) throw invalid('file', `${file.original_name} isn’t a photo, a video or a CSV file of comments`)
      const named = fields.external_id && (stored.length > 1 ? `${fields.external_id}/${file.original_name}` : fields.external_id)
      const act = readAct(
        {
          external_id: named || `sha256:${sums[nth]}`,
          action: action === 'image' ? 'photo' : 'video',
          // A placeholder, because an act without a file needs an address.
          url: 'http://file',
          ...presentFields(fields),
        },
        against,
      )
      if ('errors' in act) throw invalid('file', `${file.original_name}: ${sentencesOf(act.errors)}`)
      sent.push({ ...act, url: '', stored: file })
    }
    const size = sent.length <= AT_ONCE ? AT_ONCE : CHUNK
    for (let at = 0; at < sent.length; at += size) {
      await yieldTurn()
      for (const file of await taking.take(sent.slice(at, at + size), (writing) => allowance.settle(writing, stored)))
        usedFiles.add(file)
    }
    return { ...taking.answer(), ...(ignored.length ? { ignored } : {}) }
  } finally {
    // Comment lists need no storing once read, and known files are stored already.
    await discard(
      ctx,
      stored.filter((file) => !usedFiles.has(file)),
    )
    allowance.end()
  }
}

/** The rows of a list of comments, with a turn for others between its pieces; throws 422 for an unreadable one. */
async function* commentsOf({ services }: Pick<Ctx, 'services'>, { storage_key, original_name }: Stored) {
  try {
    for await (const rows of services.readers.read('comments', storage_key, {})) {
      yield* rows
      await yieldTurn()
    }
  } catch (error) {
    throw error instanceof Unreadable ? invalid('file', `${original_name} can’t be read: ${error.message}`) : error
  }
}

const filled = (row: Record<string, string>) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))
const presentFields = ({ email, person, comment, at, dma }: Import) =>
  Object.fromEntries(
    Object.entries({ email, person, comment, at, dma }).filter(([, value]) => value !== undefined && value !== ''),
  )

const sentencesOf = (errors: readonly ActFault[]): string => errors.map(({ message }) => message).join(', ')

/** The transactions of one import. */
class Taking {
  readonly #ctx: Ctx<Import>
  readonly #place: Place
  readonly #report: Report
  readonly #seen = new Set<string>()
  readonly #strict: boolean
  /** How many transactions have written something. */
  #written = 0

  constructor(ctx: Ctx<Import>, place: Place, { strict, dry }: Pick<Import, 'strict' | 'dry'>) {
    this.#ctx = ctx
    this.#place = place
    this.#strict = strict
    // A form's dry is read here, after the request's own.
    if (dry) ctx.reply.header(DRY_HEADER, '1')
    // Without a prototype, as its names are the sender's.
    const ignored = Object.create(null) as Record<string, number>
    this.#report = { added: 0, repeated: 0, refused: 0, errors: [], ignored, dry }
  }

  /** Reads a row, and notes what it has beyond an act; with strict, that is an error. */
  read(row: unknown, against: Against): ReturnType<typeof readAct> {
    const unknown = unknownIn(row).map((name) => name.slice(0, 100))
    if (unknown.length && this.#strict)
      return {
        errors: unknown.map((field) => ({ field, code: 'unknown_field' as const, message: `${field} is not a field of an act` })),
      }
    const { ignored } = this.#report
    for (const name of unknown)
      if (Object.hasOwn(ignored, name) || Object.keys(ignored).length < MOST_IGNORED) ignored[name] = (ignored[name] ?? 0) + 1
    return readAct(row, against)
  }

  refuse(row: number, errors: readonly ActFault[]): void {
    this.#report.refused++
    if (this.#report.errors.length < MOST_ERRORS)
      this.#report.errors.push({ row, message: sentencesOf(errors), fields: [...errors] })
  }

  /** Writes the acts that are new; returns the files that now have a row. */
  async take(acts: readonly ReceivedAct[], settle: (writing: Ctx) => Promise<void> = async () => {}): Promise<Stored[]> {
    const fresh = acts.filter(({ external_id }) => !this.#seen.has(external_id) && this.#seen.add(external_id))
    this.#report.repeated += acts.length - fresh.length
    if (!fresh.length) return []
    if (this.#report.dry) {
      const known = await this.#known(this.#ctx, fresh)
      this.#report.repeated += known.size
      this.#report.added += fresh.length - known.size
      return []
    }
    return this.#ctx.write(async (writing) => {
      const { services } = writing
      await advisoryLock(services.database, writing.tx, 'content', this.#place.id)
      const known = await this.#known(writing, fresh)
      const left = fresh.filter(({ external_id }) => !known.has(external_id))
      this.#report.repeated += known.size
      this.#report.added += left.length
      if (!left.length) return []
      await settle(writing as Ctx)
      await this.#write(asOwner(writing), left)
      const after = { added: left.length, ...byKey(writing.caller) }
      await writing.record({ subject: 'activity', subject_id: this.#place.id, project_id: this.#place.project_id, after })
      this.#written++
      return left.flatMap(({ stored }) => stored ?? [])
    })
  }

  async #known({ db }: Pick<Ctx, 'db'>, acts: readonly ReceivedAct[]): Promise<Set<string>> {
    const rows = await db
      .selectFrom('user_activities')
      .select('external_id')
      .where('activity_id', '=', this.#place.id)
      .where(
        'external_id',
        'in',
        acts.map(({ external_id }) => external_id),
      )
      .execute()
    return new Set(rows.map(({ external_id }) => external_id!))
  }

  async #write(writing: Ctx<Import>, acts: readonly ReceivedAct[]): Promise<void> {
    const { id: activity_id, project_id } = this.#place
    const files = acts.filter(({ stored }) => stored)
    const ids = await addFiles(
      writing as Ctx,
      files.map(({ stored, action }) => ({
        ...stored!,
        project_id,
        activity_id,
        kind: 'media' as const,
        asset_type: action,
        description: '',
      })),
    )
    const idOf = new Map(files.map(({ stored }, at) => [stored, ids[at]!]))
    const rows = acts.map(({ stored, ...act }) => ({
      ...act,
      activity_id,
      project_id,
      file_id: stored ? idOf.get(stored)! : null,
      review: 'open' as const,
      review_reason: '',
      created_at: writing.now,
      updated_at: writing.now,
    }))
    let newest = 0
    for (let at = 0; at < rows.length; at += 200) {
      const added = await writing.tx
        .insertInto('user_activities')
        .values(rows.slice(at, at + 200))
        .returning('id')
        .execute()
      newest = added.at(-1)!.id
    }
    // One event for the batch is enough: each workspace reads what it shows.
    writing.emit({ noun: 'content', id: newest, project_id })
  }

  answer() {
    const data = this.#report
    const { added, repeated, refused, dry } = data
    const isInPieces = this.#written > 1
    // An undo would only revert the last of several transactions.
    if (isInPieces) this.#ctx.reply.removeHeader('x-undo')
    const end = isInPieces && !this.#ctx.caller.apiKey ? ', too many to be undone at once' : ''
    const rest = `, ${figure(repeated)} already known, ${figure(refused)} refused${end}`
    const message = describeEffect({ dry }, 'content.import', { count: added, noun: 'content', rest })
    if (refused && !added && !repeated)
      throw new HttpError(422, 'all_refused', message, { fields: { rows: data.errors[0]?.message ?? message }, data })
    return { data, message }
  }
}
