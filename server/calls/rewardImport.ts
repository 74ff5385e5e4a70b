import { sql } from 'kysely'
import type { z } from 'zod'
import type { Sentence } from '../../contract/effectText.ts'
import { dollars, count as figure } from '../../contract/format.ts'
import { DRY_HEADER } from '../../contract/headers.ts'
import { commaNote, encodingNote, REWARD_LIST } from '../../contract/importWords.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { rewardImportCalls, UPLOAD_COLUMNS, UPLOAD_MB, type UploadCheck, type UploadColumn } from '../../contract/rewardImport.ts'
import { REWARD_STATUSES } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { pageOf } from '../core/keyset.ts'
import { changedRecords } from '../core/listSearch.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import { CommitUnknown } from '../db/dbErrors.ts'
import { advisoryLock } from '../db/locked.ts'
import { seenProject } from '../domain/project/detail.ts'
import { discard, receive } from '../files/receiveUpload.ts'
import { errorsLink } from '../imports/errorsFile.ts'
import {
  type ImportBy,
  type ImportRecord,
  importsOf,
  inspect,
  mappingOf,
  oneImport,
  onWire,
  previewOf,
  rowsPage,
  type TableSource,
} from '../imports/importFile.ts'
import { AS_CHECKED, checkImport } from '../imports/importJob.ts'
import { refuseSameUpload, rewardFields, rewardKind, startUpload } from '../imports/rewards.ts'
import { addFiles } from './file/upload.ts'

type Upload = z.output<(typeof rewardImportCalls)['reward.upload']['input']>
const MEGABYTE = 1_048_576
const FIRST = 100

type ReadFields = Pick<Upload, 'mapping' | 'delimiter' | 'encoding' | 'heading_line'>

/** The mapping of columns, from JSON: an object by heading, or a list in the columns' order. */
async function readMapping(file: TableSource, { mapping, ...how }: ReadFields): Promise<{ mapping?: string[] }> {
  if (!mapping) return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(mapping)
  } catch {
    parsed = null
  }
  if (!parsed || typeof parsed !== 'object') throw invalid('mapping', 'mapping must be JSON, such as {"email": "E-mail address"}')
  if (Array.isArray(parsed)) return { mapping: parsed.map(String) }
  const wanted = Object.entries(parsed as Record<string, unknown>)
  const strange = wanted.find(([field]) => !UPLOAD_COLUMNS.includes(field as UploadColumn))
  if (strange) throw invalid('mapping', `mapping: there is no ${strange[0]}; use one of ${UPLOAD_COLUMNS.join(', ')}`)
  const { headings } = (await inspect(file, rewardKind, how)).mapping
  const missing = wanted.find(([, heading]) => heading && !headings.includes(String(heading)))
  if (missing) throw invalid('mapping', `mapping: this file has no column “${String(missing[1])}”`)
  return { mapping: headings.map((heading) => wanted.find(([, one]) => one === heading)?.[0] ?? '') }
}

async function checkOf(ctx: Ctx, row: ImportRecord, file: TableSource): Promise<UploadCheck> {
  const found = await checkImport(ctx.services, rewardKind, row, file)
  const { more, rows, created, failed, errors, repeats, decimal_commas, taken, other_encoding, ignored_columns } = found
  const mapping = mappingOf(row)
  const { sample, head } = await previewOf(file, mapping)
  const amount = mapping.headings[mapping.columns.indexOf('amount')]
  const first = [
    ...errors.map((error) => ({ ...error, kind: 'error' as const, entry_id: null })),
    ...repeats.map((one) => ({
      ...one,
      kind: one.column === amount ? ('amount' as const) : ('repeat' as const),
      entry_id: null,
    })),
  ]
  return {
    ...{ rows, ready: created, failed, amount_cents: more.cents ?? 0, unpayable: more.unpayable ?? 0 },
    ...{ repeated_in_file: more.repeated_in_file ?? 0, repeated_in_project: more.repeated_in_project ?? 0 },
    ...{ decimal_commas, taken, other_encoding, ignored_columns, head },
    columns: mapping.headings.map((header, at) => ({ header, as: (mapping.columns[at] ?? '') as UploadColumn | '' })),
    sample: sample.map(({ cells }) => cells),
    first: first.sort((a, b) => a.line - b.line).slice(0, FIRST),
  }
}

/** The result of an upload, in the words of its review. */
function sentence(check: UploadCheck, dry: boolean): Sentence {
  const { ready, amount_cents, unpayable, repeated_in_file, repeated_in_project, failed, decimal_commas, other_encoding } = check
  const repeats = repeated_in_file + repeated_in_project
  const flagged = [
    unpayable ? `${figure(unpayable)} ${unpayable === 1 ? 'amount' : 'amounts'} can't be paid` : '',
    repeats ? `${figure(repeats)} ${repeats === 1 ? 'address repeats' : 'addresses repeat'}` : '',
  ].filter(Boolean)
  const end = flagged.length ? `${flagged.join(' and ')}: ${flagged.length > 1 ? 'both are' : 'these are'} flagged.` : ''
  const refused = failed ? `${figure(failed)} ${failed === 1 ? 'row fails' : 'rows fail'}.` : ''
  const also = ['Nothing is paid.', end, refused, commaNote(decimal_commas).trim(), encodingNote(other_encoding).trim()]
  const facts = { count: ready, words: ['pending entry', 'pending entries'], rest: ` (${dollars(amount_cents)})`, also } as const
  return describeEffect({ dry }, 'reward.upload', facts)
}

async function upload(ctx: Ctx<Upload>) {
  const { fields, stored, sums, ignored, allowance } = await receive(ctx, {
    schema: () => rewardImportCalls['reward.upload'].input,
    file: 'file',
    types: ['csv'],
    ready: async ({ project_id }) => void (await seenProject(ctx as Ctx, project_id)),
  })
  let isStored = false
  try {
    const [one] = stored
    if (!one || stored.length > 1) throw invalid('file', MESSAGES.oneFile)
    if (one.size >= UPLOAD_MB * MEGABYTE) throw invalid('file', MESSAGES.fileTooLarge(UPLOAD_MB))
    const file = { ...one, readers: ctx.services.readers }
    const project = await seenProject(ctx as Ctx, fields.project_id)
    const { delimiter, encoding, heading_line } = fields
    const options = { delimiter, encoding, heading_line, ...(await readMapping(file, fields)) }
    const kind = { ...rewardKind, fields: await rewardFields(ctx.db, project.id) }
    const { mapping, rows } = await inspect(file, kind, options)
    const name = one.original_name.replace(/\.csv$/i, '').slice(0, 200)
    const values = {
      ...{ kind: 'reward' as const, name, file_hash: sums[0]!, project_id: project.id, client_id: project.client_id },
      ...{ group_id: null, activity_id: null, mapping: JSON.stringify(mapping), rows, status: 'checked' as const },
      ...{ job_id: null, errors_file_id: null, ended_at: null, created_by: ctx.actor.id },
    }
    const as = {
      ...values,
      ...AS_CHECKED,
      id: 0,
      file_id: 0,
      makes_group: 0,
      lock_version: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    const check = await checkOf(ctx as Ctx, as, file)
    const ignoring = ignored.length ? { ignored } : {}
    if (fields.dry) {
      // A form's fields are read here, after the request's own dry.
      ctx.reply.header(DRY_HEADER, '1')
      return { data: { import_id: null, job_id: null, check }, message: sentence(check, true), ...ignoring }
    }
    const blocked = rewardKind.blocked(mapping)
    if (blocked) throw invalid('mapping', blocked)
    const input = [fields, one.original_name, sums[0]]
    const { answer, replayed } = await ctx.writeIdempotent(input, async (writeCtx) => {
      const writing = writeCtx as Ctx
      await advisoryLock(writing.services.database, writing.tx, 'imports', project.id)
      if (!fields.confirm_repeats) await refuseSameUpload(writing, project.id, sums[0]!)
      await allowance.settle(writing, stored)
      const file_fields = { ...one, project_id: null, activity_id: null, kind: 'location' as const }
      const [file_id] = await addFiles(writing, [{ ...file_fields, asset_type: REWARD_LIST, description: '' }])
      const { id } = await writing.tx
        .insertInto('imports')
        .values(onlyColumns('imports', { ...values, file_id: file_id!, created_at: writing.now, updated_at: writing.now }))
        .returning('id')
        .executeTakeFirstOrThrow()
      const job_id = await startUpload(writing, { id, name, lock_version: 0 })
      await writing.record({
        subject: 'import',
        subject_id: id,
        project_id: project.id,
        after: { file: one.original_name, rows },
      })
      return { import_id: id, job_id }
    })
    isStored = !replayed
    return { data: { ...answer, check }, message: sentence(check, false), ...ignoring }
  } catch (error) {
    // If the outcome of the commit is unknown, contents without rows do less harm than rows without contents.
    if (error instanceof CommitUnknown) isStored = true
    throw error
  } finally {
    if (!isStored) await discard(ctx, stored)
    allowance.end()
  }
}

/** Uploads with the current status of their entries. */
async function shown(ctx: Ctx, rows: readonly ImportBy[]) {
  const sums = rows.length
    ? await ctx.db
        .selectFrom('entries')
        .select((eb) => ['import_id', 'status', eb.fn.countAll().as('count'), eb.fn.sum('amount_cents').as('cents')])
        .where(
          'import_id',
          'in',
          rows.map(({ id }) => id),
        )
        .groupBy(['import_id', 'status'])
        .execute()
    : []
  const flagged = rows.length
    ? await ctx.db
        .selectFrom('entries')
        .select((eb) => ['import_id', eb.fn.countAll().as('count')])
        .where(
          'import_id',
          'in',
          rows.map(({ id }) => id),
        )
        .where('flags', '>', 0)
        .groupBy('import_id')
        .execute()
    : []
  return rows.map((row) => {
    const own = sums.filter(({ import_id }) => import_id === row.id)
    const now = REWARD_STATUSES.map(({ value: status }) => {
      const one = own.find((sum) => sum.status === status)
      return { status, count: Number(one?.count ?? 0), amount_cents: Number(one?.cents ?? 0) }
    })
    const repeated = Number(flagged.find(({ import_id }) => import_id === row.id)?.count ?? 0)
    const amount_cents = now.reduce((sum, one) => sum + one.amount_cents, 0)
    return { ...onWire(ctx, row), project_id: row.project_id!, repeated, amount_cents, now }
  })
}

export const rewardImportHandlers: HandlersOf<typeof rewardImportCalls> = {
  'reward.upload': ownTransaction('writeIdempotent', upload),
  'reward.imports': async (ctx) => {
    const { project_id, page, updated_since } = ctx.input
    let all = importsOf(ctx.db).where('imports.kind', '=', 'reward')
    if (project_id) {
      await seenProject(ctx, project_id)
      all = all.where('imports.project_id', '=', project_id)
    }
    if (updated_since) all = all.where((await changedRecords(ctx, updated_since, 'imports')).is)
    const { count } = await all
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const rows = await pageOf(ctx, all, [{ by: sql.ref('imports.id'), way: 'desc', full: true }], ctx.input)
    return { data: await shown(ctx, rows), count: Number(count), page }
  },
  'reward.import': async (ctx) => {
    const [data] = await shown(ctx, [await oneImport(ctx.db, 'reward', ctx.input.id)])
    return { data: data! }
  },
  'reward.importRows': async (ctx) => {
    const { id, kind, page, per_page } = ctx.input
    const row = await oneImport(ctx.db, 'reward', id)
    const { headings, columns } = mappingOf(row)
    const kinds = kind === '' ? (['error', 'repeat'] as const) : [kind === 'flagged' ? ('repeat' as const) : kind]
    const found = await rowsPage(ctx, row, { ...ctx.input, kinds })
    const amount = headings[columns.indexOf('amount')]
    const data = found.data.map(({ line, kind, column, value, code, message, entry_id }) => ({
      ...{ line, column, value, code, message, entry_id },
      kind: kind === 'error' ? ('error' as const) : column === amount ? ('amount' as const) : ('repeat' as const),
    }))
    return { data, count: found.count, page, page_size: per_page }
  },
  'reward.importErrors': ownTransaction({ noKey: 'it creates a link, and a second one does no harm' }, async (ctx) => ({
    data: await errorsLink(ctx as Ctx, await oneImport(ctx.db, 'reward', ctx.input.id), { ...rewardKind, ...ctx.input }),
  })),
}
