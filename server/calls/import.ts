import { sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions, denialOf } from '../../contract/access.ts'
import { showTime } from '../../contract/format.ts'
import type { importCalls, LocationImport } from '../../contract/import.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ImportFacts } from '../../contract/recordAccess.ts'
import { effectOf, quotedName, sentenceOf, unchangedOf } from '../../contract/writeEffects.ts'
import { stale } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, HttpError, invalid, notFound } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { pageOf } from '../core/keyset.ts'
import { changedRecords } from '../core/listSearch.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import { advisoryLock, locked } from '../db/locked.ts'
import { refuseTakenName } from '../domain/names.ts'
import { linkGroups } from '../domain/place/activityGroups.ts'
import { makeGroup } from '../domain/place/groups.ts'
import { activitiesOf, emitGroups, heldGroup } from '../domain/place/members.ts'
import { correctCell, lineOf } from '../imports/correctCell.ts'
import { errorsLink } from '../imports/errorsFile.ts'
import type { Mapping } from '../imports/fileColumns.ts'
import {
  fileOf,
  type ImportRecord,
  importFacts,
  importsOf,
  inspect,
  lineFacts,
  mappingOf,
  oneImport,
  onWire,
  previewOf,
  rowCounts,
  rowsPage,
  sameFile,
  sentFile,
} from '../imports/importFile.ts'
import { AS_CHECKED, checkImport } from '../imports/importJob.ts'
import { locationKind } from '../imports/locations.ts'
import { refuseSameUpload, rewardKind, startUpload } from '../imports/rewards.ts'
import { TAKE_BACK } from '../imports/takeBack.ts'

type Process = z.output<(typeof importCalls)['import.process']['input']>

/** File types that can be imported (screens-people-places-rewards.md, New location group). */
const TYPES = ['csv', 'xlsx']

/** Checks who owns a file's group: a group, its project and its activity must belong to the same client. */
async function placeOf({ db }: Pick<Ctx, 'db'>, { client_id, project_id, activity_id, group_id }: Process) {
  const of = { client_id: client_id ?? null, project_id: project_id ?? null }
  const same = (field: 'client_id' | 'project_id', found: number, name: string) => {
    if (of[field] !== null && of[field] !== found)
      throw invalid(field, `“${name}” belongs to another ${field === 'client_id' ? 'client' : 'project'}.`)
    of[field] = found
  }
  if (group_id) {
    const group = await db
      .selectFrom('location_groups')
      .select(['client_id', 'name'])
      .where('id', '=', group_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!group) throw notFound('This location group')
    same('client_id', group.client_id, group.name)
  }
  if (activity_id) {
    const activity = await db
      .selectFrom('activities')
      .select(['project_id', 'name'])
      .where('id', '=', activity_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!activity) throw notFound('This activity')
    same('project_id', activity.project_id, activity.name)
  }
  if (of.project_id) {
    const project = await db
      .selectFrom('projects')
      .select(['client_id', 'name'])
      .where('id', '=', of.project_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!project) throw notFound('This project')
    same('client_id', project.client_id, project.name)
  }
  if (of.client_id === null) throw invalid('client_id', MESSAGES.chooseClient)
  const client = await db
    .selectFrom('clients')
    .select('id')
    .where('id', '=', of.client_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!client) throw notFound('This client')
  return { client_id: of.client_id, project_id: of.project_id, activity_id: activity_id ?? null, group_id: group_id ?? null }
}

/** Throws 409 for a file that one of the client's groups was already imported from. */
async function refuseSame(
  ctx: Ctx,
  row: Pick<ImportRecord, 'kind' | 'file_hash' | 'project_id'> & { client_id: number | null; id?: number },
): Promise<void> {
  if (row.kind === 'reward') return refuseSameUpload(ctx, row.project_id!, row.file_hash, row.id)
  const was = await sameFile(ctx.db, 'location', row.file_hash, row.client_id === null ? {} : { client_id: row.client_id })
  if (!was || was.id === row.id) return
  const on = showTime(new Date(was.created_at), 'day', ctx.services.settings.timeZone)
  throw new HttpError(409, 'same_file', `This file became “${was.name}” on ${on}.`, { import_id: was.id, group_id: was.group_id })
}

/** Starts an import and its job; an import of locations also creates the group and links the activity. */
async function start(ctx: Ctx, row: ImportRecord): Promise<number> {
  if (row.kind === 'reward') return startUpload(ctx, row)
  const makes = row.group_id === null
  const group = makes ? await makeGroup(ctx, row.client_id!, row.name) : await heldGroup(ctx, row.group_id!)
  if (row.activity_id !== null) await linkGroups(ctx, [row.activity_id], [group.id])
  const job = await ctx.services.jobs.add(ctx, {
    kind: 'locations',
    title: `Locations from a file: ${group.name}`,
    input: { import_id: row.id },
  })
  await ctx.tx
    .updateTable('imports')
    .set({
      ...{ status: 'running', error: '', ended_at: null, job_id: job.id, group_id: group.id, name: group.name },
      ...{ makes_group: makes ? 1 : row.makes_group, updated_at: ctx.now, lock_version: row.lock_version + 1 },
    })
    .where('id', '=', row.id)
    .execute()
  ctx.emit({ noun: 'import', id: row.id, audience: 'admin' })
  return job.id
}

/** An import locked for a write, with what its rules read; throws 404. */
async function heldImport(ctx: Ctx, id: number): Promise<{ row: ImportRecord; facts: ImportFacts }> {
  const query = ctx.tx.selectFrom('imports').selectAll().where('id', '=', id)
  const row = await locked(ctx.services.database, query).executeTakeFirst()
  if (!row) throw notFound(`Import ${id}`)
  return { row, facts: importFacts(await oneImport(ctx.tx, row.kind, id)) }
}

/** An import as it is returned, without the lines of its file, which aren't read in a transaction. */
async function record(ctx: Ctx, id: number): Promise<LocationImport> {
  const row = await oneImport(ctx.db, null, id)
  const activity =
    row.activity_id === null
      ? undefined
      : await ctx.db.selectFrom('activities').select('name').where('id', '=', row.activity_id).executeTakeFirst()
  const data = onWire(ctx, row)
  return {
    ...data,
    group_id: row.group_id,
    makes_group: row.makes_group === 1,
    activity_id: row.activity_id,
    activity_name: activity?.name ?? '',
    counts: await rowCounts(ctx.db, id),
    preview: null,
  }
}

/** The same with the first lines of a file whose columns can still be mapped. */
async function shown(ctx: Ctx, data: LocationImport, mapping: Mapping): Promise<LocationImport> {
  if (data.kind !== 'location' || (data.status !== 'checked' && data.status !== 'failed')) return data
  return { ...data, preview: await previewOf(await fileOf(ctx.services, ctx.db, data), mapping) }
}

async function checked(ctx: Ctx, row: ImportRecord) {
  const { more, repeats: _, ...found } = await checkImport(ctx.services, locationKind, row)
  return { ...found, approximate: more.approximate ?? 0, no_position: more.no_position ?? 0, doubtful: more.doubtful ?? 0 }
}

/** A file's name as a group's name: without extension, dashes and underscores. */
const stem = (file: string): string =>
  file
    .replace(/\.\w+$/, '')
    .replace(/[_-]+/g, ' ')
    .trim()

const ROWS = ['row', 'rows'] as const

export const importHandlers: HandlersOf<typeof importCalls> = {
  'import.process': ownTransaction('writeIdempotent', async (ctx) => {
    const { input } = ctx
    const file = await sentFile(ctx as Ctx, input.file_id, TYPES)
    const of = await placeOf(ctx, input)
    const { mapping, rows } = await inspect(file, locationKind, input)
    const name = (input.name ?? stem(file.original_name)).slice(0, 200)
    if (!name) throw invalid('name', MESSAGES.groupName)
    const values = {
      ...{ kind: 'location' as const, name, file_id: file.id, file_hash: file.hash, ...of },
      ...{
        mapping: JSON.stringify(mapping),
        rows,
        status: 'checked' as const,
        job_id: null,
        errors_file_id: null,
        ended_at: null,
      },
      created_by: ctx.actor.id,
    }
    const as = (id: number) =>
      ({
        ...values,
        id,
        ...AS_CHECKED,
        makes_group: 0,
        lock_version: 1,
        created_at: ctx.now,
        updated_at: ctx.now,
      }) satisfies ImportRecord
    if (input.dry) {
      if (!input.again && !input.hold) await refuseSame(ctx as Ctx, values)
      const check = await checked(ctx as Ctx, as(0))
      return {
        data: { import_id: null, job_id: null, check },
        message: sentenceOf(effectOf('import.process'), { count: rows, words: ROWS }, 'before'),
      }
    }
    const blocked = locationKind.blocked(mapping)
    if (blocked && !input.hold) throw invalid('mapping', blocked)
    const { answer } = await ctx.writeIdempotent(input, async (writing) => {
      const write = writing as Ctx
      await advisoryLock(write.services.database, write.tx, 'imports', of.client_id)
      if (!input.again && !input.hold) await refuseSame(write, values)
      if (of.group_id === null) await refuseTakenName(write, 'group', { name, client_id: of.client_id })
      const { id } = await write.tx
        .insertInto('imports')
        .values(onlyColumns('imports', { ...values, created_at: write.now, updated_at: write.now }))
        .returning('id')
        .executeTakeFirstOrThrow()
      await write.tx
        .updateTable('files')
        .set({ kind: 'location' })
        .where('id', '=', file.id)
        .where('kind', '=', 'asset')
        .where('project_id', 'is', null)
        .execute()
      await write.record({
        subject: 'import',
        subject_id: id,
        project_id: of.project_id,
        after: { name, file: file.original_name, rows },
      })
      write.emit({ noun: 'import', id, audience: 'admin' })
      return { import_id: id, job_id: input.hold ? null : await start(write, as(id)), check: null }
    })
    return {
      data: answer,
      message: describeEffect(ctx as Ctx, input.hold ? 'import.hold' : 'import.process', { count: rows, words: ROWS }),
    }
  }),
  'import.list': async (ctx) => {
    const { client_id, group_id, status, page, updated_since } = ctx.input
    let all = importsOf(ctx.db).where('imports.kind', '=', 'location')
    if (client_id) all = all.where('imports.client_id', '=', client_id)
    if (group_id) all = all.where('imports.group_id', '=', group_id)
    if (status) all = all.where('imports.status', '=', status)
    if (updated_since) all = all.where((await changedRecords(ctx, updated_since, 'imports')).is)
    const { count } = await all
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const rows = await pageOf(ctx, all, [{ by: sql.ref('imports.id'), way: 'desc', full: true }], ctx.input)
    return { data: rows.map((row) => onWire(ctx, row)), count: Number(count), page }
  },
  'import.get': async (ctx) => {
    const { mapping } = await oneImport(ctx.db, null, ctx.input.id)
    return { data: await shown(ctx as Ctx, await record(ctx as Ctx, ctx.input.id), mappingOf({ mapping })) }
  },
  'import.check': async (ctx) => ({ data: await checked(ctx as Ctx, await oneImport(ctx.db, 'location', ctx.input.id)) }),
  'import.rows': async (ctx) => {
    const row = await oneImport(ctx.db, 'location', ctx.input.id)
    const { data, ...page } = await rowsPage(ctx, row, { ...ctx.input, kinds: [ctx.input.kind] })
    return { data: data.map((line) => ({ ...line, ...allowedActions('fileLine', ctx.actor, lineFacts(row, line)) })), ...page }
  },
  'import.map': ownTransaction('writeIdempotent', async (ctx) => {
    const { id, lock_version, name, sheet, delimiter, encoding, headed, heading_line, mapping } = ctx.input
    // The file is read before the transaction, so that no write waits for a long one.
    const before = await oneImport(ctx.db, null, id)
    assertAllowed(denialOf('import.map', ctx.actor, importFacts(before)))
    const was = mappingOf(before)
    const otherTable =
      (sheet !== undefined && sheet !== was.sheet) ||
      (!!delimiter && delimiter !== was.delimiter) ||
      (!!encoding && encoding !== was.encoding)
    const otherHeadings =
      (heading_line !== undefined && heading_line !== was.heading_line) || (headed !== undefined && headed !== was.headed)
    const known = new Set(locationKind.fields.map((field) => field.id))
    const columns = was.columns.map((field, at) => (mapping ? (known.has(mapping[at] ?? '') ? mapping[at]! : '') : field))
    // Which columns have decimal commas depends on what they hold.
    const sameNumbers = was.delimiter !== ';' || columns.every((field, at) => field === was.columns[at])
    const isSame = !otherTable && !otherHeadings && sameNumbers
    // It is read again only for another sheet, whose columns differ.
    const changes = {
      sheet: sheet ?? was.sheet,
      delimiter: delimiter || was.delimiter,
      encoding: encoding || was.encoding,
      // The headings of the table that is read now stay where they are.
      ...(otherTable || otherHeadings ? { headed, heading_line } : { heading_line: was.heading_line }),
      mapping: otherTable || otherHeadings ? mapping : columns,
    }
    const found = isSame
      ? { mapping: { ...was, columns }, rows: before.rows }
      : await inspect(await fileOf(ctx.services, ctx.db, before), locationKind, changes)
    const { answer } = await ctx.writeIdempotent(ctx.input, async (writing) => {
      const write = writing as Ctx
      const { row, facts } = await heldImport(write, id)
      assertAllowed(denialOf('import.map', write.actor, facts))
      const patch = { mapping: JSON.stringify(found.mapping), ...(name === undefined || row.group_id !== null ? {} : { name }) }
      const differs = patch.mapping !== row.mapping || (patch.name ?? row.name) !== row.name
      const isStale = row.mapping !== before.mapping || (lock_version !== undefined && lock_version !== row.lock_version)
      if (isStale && differs) throw stale('import', row, { mapping })
      if (patch.name && row.group_id === null)
        await refuseTakenName(write, 'group', { name: patch.name, client_id: row.client_id! })
      if (!differs) return record(write, id)
      await write.tx
        .updateTable('imports')
        .set(onlyColumns('imports', { ...patch, rows: found.rows, updated_at: write.now, lock_version: row.lock_version + 1 }))
        .where('id', '=', id)
        .execute()
      write.emit({ noun: 'import', id, audience: 'admin' })
      return record(write, id)
    })
    return {
      data: await shown(ctx as Ctx, answer, found.mapping),
      message: describeEffect(ctx as Ctx, 'import.map', { words: ['columns', 'columns'] }),
    }
  }),
  async 'import.run'(ctx) {
    const write = ctx as Ctx
    const { row, facts } = await heldImport(write, ctx.input.id)
    const { status } = facts
    assertAllowed(denialOf('import.run', ctx.actor, facts))
    const blocked = (row.kind === 'reward' ? rewardKind : locationKind).blocked(mappingOf(row))
    if (blocked) throw invalid('mapping', blocked)
    if (!ctx.input.again && status !== 'failed') await refuseSame(write, row)
    // An undone import starts over; a failed one continues where it stopped.
    const clean = status === 'undone' ? { ...AS_CHECKED, ...(row.makes_group ? { group_id: null, makes_group: 0 } : {}) } : {}
    if (status === 'undone') {
      await ctx.tx.deleteFrom('import_rows').where('import_id', '=', row.id).execute()
      await ctx.tx.updateTable('imports').set(clean).where('id', '=', row.id).execute()
    }
    const job_id = await start(write, { ...row, ...clean })
    return { data: { import_id: row.id, job_id }, message: describeEffect(write, 'import.run', { count: row.rows, words: ROWS }) }
  },
  async 'import.correct'(ctx) {
    const write = ctx as Ctx
    const { row } = await heldImport(write, ctx.input.id)
    const line = await lineOf(ctx.tx, row, ctx.input.row_id)
    assertAllowed(denialOf('import.correct', ctx.actor, lineFacts(row, line)))
    const group = await heldGroup(write, row.group_id!)
    const taken = await correctCell(write, locationKind, row, line, ctx.input.value)
    if (taken) {
      await ctx.record({ subject: 'group', subject_id: group.id, after: { locations_added: 1 } })
      emitGroups(write, [group], await activitiesOf(write, [group.id]))
    }
    ctx.emit({ noun: 'import', id: row.id, audience: 'admin' })
    const message = taken
      ? describeEffect(write, 'import.correct', { words: ['the line', 'lines'], rest: ` to ${quotedName(group.name)}` })
      : unchangedOf('import.correct')
    return { data: await record(write, row.id), message }
  },
  'import.errors': ownTransaction({ noKey: 'it creates a link, and a second one does no harm' }, async (ctx) => ({
    data: await errorsLink(ctx as Ctx, await oneImport(ctx.db, 'location', ctx.input.id), { ...locationKind, ...ctx.input }),
  })),
  async 'import.undo'(ctx) {
    const write = ctx as Ctx
    const { row, facts } = await heldImport(write, ctx.input.id)
    assertAllowed(denialOf('import.undo', ctx.actor, facts))
    const { removed, kept } = await TAKE_BACK[row.kind](write, row)
    await ctx.tx
      .updateTable('imports')
      .set({ status: 'undone', updated_at: ctx.now, lock_version: row.lock_version + 1 })
      .where('id', '=', row.id)
      .execute()
    await ctx.record({
      subject: 'import',
      subject_id: row.id,
      project_id: row.project_id,
      before: { status: 'done' },
      after: { status: 'undone' },
    })
    ctx.emit({ noun: 'import', id: row.id, audience: 'admin' })
    return { data: { id: row.id, removed, kept }, message: describeEffect(write, 'import.undo', { name: row.name }) }
  },
}
